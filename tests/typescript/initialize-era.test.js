// The client that most hosts are built on: SDK 1.x, which speaks the revisions up to 2025-11-25.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';

import { failures, machinesAnswers, personsAnswers } from './answers.js';
import { connect, counting, expectedSupport, hosts, record, serverParameters } from './host.js';

async function start(t, capabilities, onElicit) {
    const validator = counting(new AjvJsonSchemaValidator());
    const client = new Client(
        { name: 'typescript-1', version: '1.0.0' },
        { capabilities, jsonSchemaValidator: validator },
    );
    if (onElicit) {
        client.setRequestHandler(ElicitRequestSchema, onElicit);
    }
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

    if (host.noFormProbe) {
        test(`${host.name} is not asked, and the report says why`, async (t) => {
            const { client } = await start(t, host.capabilities);

            assert.deepEqual(await probe(client), { attempted: false, reason: host.noFormProbe });
        });
    }
}

async function probe(client, verdicts) {
    await client.listTools();
    const result = await client.callTool({ name: 'elicit_doctor', arguments: { probeElicitation: true } });
    assert.ok(!result.isError, JSON.stringify(result.content));
    if (verdicts) {
        assert.deepEqual(verdicts, { accepted: 1, refused: 0 }, "the client's check against the output schema");
    }
    return result.structuredContent.probes.elicitationForm;
}

describe('people, in the initialize era', { concurrency: true }, () => testAnswers(personsAnswers));

describe('machines, in the initialize era', () => testAnswers(machinesAnswers));

function testAnswers(answers) {
    for (const [name, { handler, result: expected }] of Object.entries(answers)) {
        test(`${name} is found out`, async (t) => {
            const { client, verdicts } = await start(t, { elicitation: {} }, handler);
            const { latencyMs, ...result } = await probe(client, verdicts);

            assert.deepEqual(result, expected);
            assert.equal(typeof latencyMs, 'number');
        });
    }
}

for (const [name, { handler, result: expected, reason: part }] of Object.entries(failures)) {
    test(`${name} is found out in the initialize era`, async (t) => {
        const { client, verdicts } = await start(t, { elicitation: {} }, handler);
        const { latencyMs, reason, ...result } = await probe(client, verdicts);

        assert.deepEqual(result, expected);
        assert.ok(reason.includes(part), reason);
    });
}

test('the form has one required choice without a default', async (t) => {
    let asked;
    const { client } = await start(t, { elicitation: {} }, async ({ params }) => {
        asked = params;
        return { action: 'cancel' };
    });
    await probe(client);

    const { properties, required } = asked.requestedSchema;
    assert.deepEqual(required, ['value']);
    assert.deepEqual(properties.value.enum, ['left', 'ok', 'right']);
    assert.ok(!('default' in properties.value));
});

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
