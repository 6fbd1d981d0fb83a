// The client of SDK 2.x, which speaks 2026-07-28 and finds out by itself which era a server is of.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';

import { failures, machinesAnswers, personsAnswers } from './answers.js';
import { connect, counting, expectedSupport, hosts, record, serverParameters } from './host.js';

const META = 'io.modelcontextprotocol/';
const modern = { pin: '2026-07-28' };

async function start(t, capabilities, mode, onElicit, env) {
    const validator = counting(new AjvJsonSchemaValidator());
    const client = new Client(
        { name: 'typescript-2', version: '1.0.0' },
        { capabilities, jsonSchemaValidator: validator, versionNegotiation: { mode } },
    );
    if (onElicit) {
        client.setRequestHandler('elicitation/create', onElicit);
    }
    const transport = new StdioClientTransport({ ...serverParameters, env: { ...serverParameters.env, ...env } });
    const wire = record(transport);
    t.after(() => client.close());
    await connect(client, transport);
    return { client, wire, verdicts: validator.verdicts };
}

for (const host of hosts) {
    test(`${host.name} gets its report on 2026-07-28`, async (t) => {
        const { client, wire, verdicts } = await start(t, host.capabilities, modern);
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

    if (host.noFormProbe) {
        test(`${host.name} is not asked on 2026-07-28, and the report says why`, async (t) => {
            const { client, wire } = await start(t, host.capabilities, modern);

            assert.deepEqual(await probe(client), { attempted: false, reason: host.noFormProbe });
            assert.equal(calls(wire).length, 1);
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

function calls(wire) {
    return wire.sent.filter(({ method }) => method === 'tools/call').map(({ params }) => params);
}

describe('people, on 2026-07-28', { concurrency: true }, () => testAnswers(personsAnswers));

describe('machines, on 2026-07-28', () => testAnswers(machinesAnswers));

function testAnswers(answers) {
    for (const [name, { handler, result: expected }] of Object.entries(answers)) {
        test(`${name} is found out by the repeated call`, async (t) => {
            const { client, wire, verdicts } = await start(t, { elicitation: {} }, modern, handler);
            const { latencyMs, ...result } = await probe(client, verdicts);

            assert.deepEqual(result, expected);
            assert.equal(typeof latencyMs, 'number');
            const [first, second, ...more] = calls(wire);
            assert.deepEqual(more, []);
            assert.ok(!('requestState' in first) && !('inputResponses' in first), Object.keys(first).join());
            assert.equal(typeof second.requestState, 'string');
            assert.deepEqual(Object.keys(second.inputResponses), ['elicit_doctor']);
        });
    }
}

for (const [name, { handler }] of Object.entries(failures)) {
    test(`${name} does not repeat the call on 2026-07-28, so there is no report`, async (t) => {
        const { client, wire } = await start(t, { elicitation: {} }, modern, handler);

        await assert.rejects(probe(client));
        assert.equal(calls(wire).length, 1);
        assert.ok((await client.callTool({ name: 'elicit_doctor', arguments: {} })).structuredContent.support.elicitation);
    });
}

for (const [name, { handler, result: expected, reason: part }] of Object.entries(failures)) {
    test(`${name} is found out when the newer client speaks the initialize era`, async (t) => {
        const { client } = await start(t, { elicitation: {} }, 'legacy', handler);
        const { latencyMs, reason, ...result } = await probe(client);

        assert.deepEqual(result, expected);
        assert.ok(reason.includes(part), reason);
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
    const tool = await ofEra(modern);

    assert.equal(tool.annotations.readOnlyHint, true);
    assert.equal(tool.annotations.idempotentHint, true);
    assert.deepEqual(tool, await ofEra('legacy'));
});

for (const [era, mode] of [
    ['in the initialize era', 'legacy'],
    ['on 2026-07-28', modern],
]) {
    test(`a table is booked by one form ${era}`, async (t) => {
        let form;
        const { client } = await start(t, { elicitation: {} }, mode, async ({ params }) => {
            form = params.requestedSchema;
            return { action: 'accept', content: { day: '2026-12-24', guests: 4, seating: 'Terrace' } };
        });
        const { content } = await client.callTool({ name: 'book_table', arguments: {} });

        assert.deepEqual(form.required, ['day', 'guests', 'seating']);
        assert.deepEqual([form.properties.guests.minimum, form.properties.guests.maximum], [1, 12]);
        assert.equal(form.properties.seating.oneOf[1].title, 'On the terrace, if the weather allows it');
        assert.equal(content[0].text, 'A table for 4 on Thursday, 24 December 2026 (on the terrace).');
    });

    test(`a file is deleted by a person's consent and not by a machine's ${era}`, async (t) => {
        const folder = await mkdtemp(join(tmpdir(), 'elicit-doctor-'));
        t.after(() => rm(folder, { recursive: true }));
        await writeFile(join(folder, 'a.log'), '');
        let thinkingTime = 0;
        const consent = () => setTimeout(thinkingTime, { action: 'accept', content: { answer: 'Delete' } });
        const { client } = await start(t, { elicitation: {} }, mode, consent, { Files__Folder: folder });
        const deleteFiles = () => client.callTool({ name: 'delete_files', arguments: { pattern: '*.log' } });

        assert.match((await deleteFiles()).content[0].text, /^Nothing was deleted/);
        assert.deepEqual(await readdir(folder), ['a.log']);

        // Longer than the 250 ms below which a yes is a machine's.
        thinkingTime = 500;
        assert.equal((await deleteFiles()).content[0].text, 'Deleted 1 file.');
        assert.deepEqual(await readdir(folder), []);
    });
}
