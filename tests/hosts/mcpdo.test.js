// `mcpdo`, the command line of the MCP Inspector: a daemon holds the connections, a command shows the form, another one
// answers it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import { answers, checkReport, checkTool, deeds, deletion, probe, witnessed } from './expectations.js';
import { emptyHome, lifetime, readTheQuestion, run, scratchFiles, within, witnessedServer } from './surroundings.js';

const client = { name: 'inspector-cli', version: '2.12.0' };
const eras = { legacy: 'request', modern: 'input_required' };
const reportKey = '"structuredContent"';
const impatient = '--ElicitDoctor:ProbeTimeoutSeconds=4';

// Many, because most wait for a person most of the time; not all, because mcpdo gives its daemon 2 s to answer.
describe('mcpdo', { concurrency: 8 }, () => {
    const life = lifetime(after);
    const { home, env } = emptyHome(life);
    const inBothEras = (...ways) =>
        Object.entries(eras).flatMap(([era, delivery]) =>
            ways.map((deed) => ({ name: `mcpdo-${era}-${deed}`, era, delivery, deed })),
        );
    const probed = inBothEras(...Object.keys(answers));
    const called = inBothEras(...Object.keys(deeds));
    const unanswered = inBothEras('unanswered');
    const abandoned = inBothEras('delete-unanswered');
    const rows = [...probed, ...called, ...unanswered, ...abandoned];
    const servers = Object.fromEntries(
        rows.map(({ name, deed }) => [name, witnessedServer(home, name, ...(deed === 'unanswered' ? [impatient] : []))]),
    );
    const config = join(home, 'mcp.json');
    const mcpdo = (...args) => run(life, 'mcpdo', args, { env });
    const json = async (...args) => JSON.parse(await mcpdo('--format', 'json', ...args));
    const connect = ({ name, era }) => mcpdo('--config', config, 'connect', name, '--era', era, '--elicit', 'both');

    before(async () => {
        env.MCP_INSPECTOR_SECRET_STORE = 'memory';
        for (const [, name, value] of (await mcpdo('private')).matchAll(/^export (\w+)='(.*)'$/gm)) {
            env[name] = value;
        }
        const mcpServers = Object.fromEntries(
            Object.entries(servers).map(([name, { command, args }]) => [name, { type: 'stdio', command, args }]),
        );
        writeFileSync(config, JSON.stringify({ mcpServers }));
        // The first connection starts the daemon; its test connects anew.
        await connect(rows[0]);
        const { pid } = await json('daemon', 'status');
        life.atTheEnd(() => stopDaemon(pid));
    });

    async function stopDaemon(pid) {
        try {
            await mcpdo('daemon', 'stop');
            await within(`the end of mcpdo's daemon, process ${pid}`, gone(pid));
        } finally {
            if (isAlive(pid)) {
                process.kill(pid, 'SIGKILL');
            }
        }
    }

    async function ask(row, { tool, arguments: given, question }) {
        await connect(row);
        const { elicitationPending } = await json(`@${row.name}`, 'tools/call', tool, JSON.stringify(given));
        assert.ok(elicitationPending.message.endsWith(question), elicitationPending.message);
        return elicitationPending.elicitationId;
    }

    const answer = (id, { action, content }) =>
        json('elicitation/respond', id, content ? JSON.stringify(content) : `--${action}`);

    for (const row of probed) {
        const { name, delivery, deed } = row;
        test(`${name}: the report says who did what`, async () => {
            const id = await ask(row, probe);
            await readTheQuestion();
            const { structuredContent: report } = await answer(id, answers[deed]);

            checkReport({ name, report, record: servers[name].record, deed, client, delivery });
        });
    }

    const [waiting, suspended] = unanswered;

    test(`${waiting.name}: the report comes without an answer`, async () => {
        const { name, delivery, deed } = waiting;
        const { record } = servers[name];
        const id = await ask(waiting, probe);
        await within('the report of a probe that nobody answers', reported(record));
        // What this answers is long over; it is how mcpdo gives out the result of the call.
        const { structuredContent: report } = await answer(id, answers.accept);

        checkReport({ name, report, record, deed, client, delivery });
    });

    test(`${suspended.name}: no call is open meanwhile, and there is no report`, async () => {
        await ask(suspended, probe);
        await mcpdo('disconnect', suspended.name);

        const { record } = servers[suspended.name];
        assert.equal(witnessed(record, suspended.delivery), undefined, 'the answer');
        const wire = await readFile(record, 'utf8');
        assert.ok(!wire.includes(reportKey), wire);
    });

    for (const row of called) {
        const { name, delivery } = row;
        const [server, deed] = [servers[name], deeds[row.deed]];
        test(`${name}: the tool did what the person said`, async () => {
            const id = await ask(row, deed.call);
            assert.deepEqual(server.files(), scratchFiles, 'the files before the answer');
            await readTheQuestion();
            const { content } = await answer(id, deed.answer);

            checkTool({ name, text: content[0].text, server, deed, delivery });
        });
    }

    for (const row of abandoned) {
        const { name, delivery } = row;
        const { record, files } = servers[name];
        test(`${name}: nothing was deleted when the person left`, async () => {
            await ask(row, deletion);
            await mcpdo('disconnect', name);

            assert.equal(witnessed(record, delivery), undefined, 'the answer');
            assert.deepEqual(files(), scratchFiles);
        });
    }
});

async function reported(record) {
    while (!(await readFile(record, 'utf8')).includes(reportKey)) {
        await setTimeout(100);
    }
}

async function gone(pid) {
    while (isAlive(pid)) {
        await setTimeout(50);
    }
}

function isAlive(pid) {
    try {
        return process.kill(pid, 0);
    } catch {
        return false;
    }
}
