// The client that most hosts are built on: SDK 1.x, which speaks the revisions up to 2025-11-25.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';

import { connect, counting, expectedSupport, hosts, record, serverParameters } from './host.js';

async function start(t, capabilities) {
    const validator = counting(new AjvJsonSchemaValidator());
    const client = new Client(
        { name: 'typescript-1', version: '1.0.0' },
        { capabilities, jsonSchemaValidator: validator },
    );
    const transport = new StdioClientTransport(serverParameters);
    const wire = record(transport);
    t.after(() => client.close());
    await connect(client, transport);
    return { client, wire, verdicts: validator.verdicts };
}

for (const host of hosts) {
    test(`${host.name} gets its report in the initialize era`, async (t) => {
        const { client, wire, verdicts } = await start(t, host.capabilities);
        await client.listTools();
        const result = await client.callTool({ name: 'elicit_doctor', arguments: {} });

        assert.ok(!result.isError, JSON.stringify(result.content));
        assert.deepEqual(verdicts, { accepted: 1, refused: 0 }, "the client's check against the output schema");
        const report = result.structuredContent;
        assert.deepEqual(report.support, expectedSupport(host));
        assert.equal(report.delivery, host.support.elicitation ? 'request' : 'none');
        assert.equal(report.revision, wire.result('initialize').protocolVersion);
        // As text, so that the order of the keys counts too.
        assert.equal(JSON.stringify(report.initialize.request), JSON.stringify(wire.request('initialize').params));
        assert.equal(JSON.stringify(report.initialize.response), JSON.stringify(wire.result('initialize')));
        assert.ok(!('perRequest' in report) && !('probes' in report), Object.keys(report).join());

        assert.equal(result.content.length, 1);
        assert.deepEqual(JSON.parse(result.content[0].text), report);
    });

    test(`a probe of ${host.name} is not attempted and says why`, async (t) => {
        const { client, verdicts } = await start(t, host.capabilities);
        await client.listTools();
        const result = await client.callTool({ name: 'elicit_doctor', arguments: { probeElicitation: true } });

        assert.ok(!result.isError, JSON.stringify(result.content));
        assert.deepEqual(verdicts, { accepted: 1, refused: 0 }, "the client's check against the output schema");
        const { attempted, reason } = result.structuredContent.probes.elicitationForm;
        assert.equal(attempted, false);
        assert.equal(reason, host.noFormProbe ?? 'this version does not run live probes yet');
    });
}

test('the tool says what it takes, what it gives, and that it changes nothing', async (t) => {
    const { client } = await start(t, {});
    const { tools } = await client.listTools();
    const tool = tools.find(({ name }) => name === 'elicit_doctor');

    assert.ok(tool, `elicit_doctor among ${tools.map(({ name }) => name)}`);
    assert.ok(tool.description);
    assert.equal(tool.annotations?.readOnlyHint, true);
    assert.equal(tool.annotations?.idempotentHint, true);
    assert.equal(tool.inputSchema.type, 'object');
    assert.equal(tool.inputSchema.properties.probeElicitation.type, 'boolean');
    assert.ok(!tool.inputSchema.required?.includes('probeElicitation'));
    assert.equal(tool.outputSchema.type, 'object');
});

test('the output schema refuses what is no report', async (t) => {
    const { client } = await start(t, { elicitation: {} });
    const { tools } = await client.listTools();
    const { structuredContent: report } = await client.callTool({ name: 'elicit_doctor', arguments: {} });
    const { outputSchema } = tools.find(({ name }) => name === 'elicit_doctor');
    const accepts = (value) => new AjvJsonSchemaValidator().getValidator(outputSchema)(value).valid;

    assert.ok(accepts(report));
    assert.ok(!accepts({}), 'an empty object');
    assert.ok(!accepts({ ...report, support: { ...report.support, elicitationForm: 'yes' } }), 'a support of strings');
    assert.ok(!accepts({ ...report, delivery: 'pigeon' }), 'an unknown delivery');
});
