// The client of SDK 2.x, which speaks 2026-07-28 and finds out by itself which era a server is of.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';

import { connect, counting, expectedSupport, hosts, record, serverParameters } from './host.js';

const META = 'io.modelcontextprotocol/';

async function start(t, capabilities, mode) {
    const validator = counting(new AjvJsonSchemaValidator());
    const client = new Client(
        { name: 'typescript-2', version: '1.0.0' },
        { capabilities, jsonSchemaValidator: validator, versionNegotiation: { mode } },
    );
    const transport = new StdioClientTransport(serverParameters);
    const wire = record(transport);
    t.after(() => client.close());
    await connect(client, transport);
    return { client, wire, verdicts: validator.verdicts };
}

for (const host of hosts) {
    test(`${host.name} gets its report on 2026-07-28`, async (t) => {
        const { client, wire, verdicts } = await start(t, host.capabilities, { pin: '2026-07-28' });
        await client.listTools();
        const result = await client.callTool({ name: 'elicit_doctor', arguments: {} });

        assert.ok(!result.isError, JSON.stringify(result.content));
        assert.deepEqual(verdicts, { accepted: 1, refused: 0 }, "the client's check against the output schema");
        const report = result.structuredContent;
        assert.deepEqual(report.support, expectedSupport(host));
        assert.equal(report.delivery, host.support.elicitation ? 'input_required' : 'none');
        assert.equal(report.revision, '2026-07-28');
        // As text, so that the order of the keys counts too.
        const meta = wire.request('tools/call').params._meta;
        assert.deepEqual(meta[`${META}clientCapabilities`], host.capabilities);
        assert.equal(JSON.stringify(report.perRequest.request._meta), JSON.stringify(meta));
        assert.ok(!('initialize' in report) && !('probes' in report), Object.keys(report).join());

        assert.deepEqual(JSON.parse(result.content[0].text), report);
    });

    test(`a probe of ${host.name} on 2026-07-28 is not attempted and says why`, async (t) => {
        const { client } = await start(t, host.capabilities, { pin: '2026-07-28' });
        const result = await client.callTool({ name: 'elicit_doctor', arguments: { probeElicitation: true } });

        assert.ok(!result.isError, JSON.stringify(result.content));
        const { attempted, reason } = result.structuredContent.probes.elicitationForm;
        assert.equal(attempted, false);
        assert.equal(reason, host.noFormProbe ?? 'this version does not run live probes yet');
    });
}

test('a host that may choose takes the newer era', async (t) => {
    const { client } = await start(t, { elicitation: {} }, 'auto');
    const { structuredContent: report } = await client.callTool({ name: 'elicit_doctor', arguments: {} });

    assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
    assert.ok('perRequest' in report, Object.keys(report).join());
});

test('the same host gets a report of the initialize era when it speaks that one', async (t) => {
    const { client, wire } = await start(t, { elicitation: { form: {}, url: {} } }, 'legacy');
    const { structuredContent: report } = await client.callTool({ name: 'elicit_doctor', arguments: {} });

    assert.equal(report.revision, client.getNegotiatedProtocolVersion());
    assert.equal(report.delivery, 'request');
    assert.equal(JSON.stringify(report.initialize.request), JSON.stringify(wire.request('initialize').params));
});

test('the tool of both eras is one and the same', async (t) => {
    const ofEra = async (mode) => {
        const { client } = await start(t, {}, mode);
        const { tools } = await client.listTools();
        return tools.find(({ name }) => name === 'elicit_doctor');
    };
    const tool = await ofEra({ pin: '2026-07-28' });

    assert.equal(tool.annotations.readOnlyHint, true);
    assert.equal(tool.annotations.idempotentHint, true);
    assert.deepEqual(tool, await ofEra('legacy'));
});
