// `mcpdo`, the command line of the MCP Inspector: a daemon holds the connections, a command shows the form, another one
// answers it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';

import { checkReport } from './expectations.js';
import { emptyHome, lifetime, readTheQuestion, run, within, witnessedServer } from './surroundings.js';

const client = { name: 'inspector-cli', version: '2.12.0' };
const eras = { legacy: 'request', modern: 'input_required' };
const words = { accept: ['value:=ok'], decline: ['--decline'], cancel: ['--cancel'] };
const question = 'Please pick "ok" and confirm.';
const reportKey = '"structuredContent"';
const impatient = '--ElicitDoctor:ProbeTimeoutSeconds=4';

describe('mcpdo', { concurrency: true }, () => {
    const life = lifetime(after);
    const { home, env } = emptyHome(life);
    const rows = Object.entries(eras).flatMap(([era, delivery]) =>
        [...Object.keys(words), 'unanswered'].map((deed) => ({ name: `mcpdo-${era}-${deed}`, era, delivery, deed })),
    );
    const servers = Object.fromEntries(
        rows.map(({ name, deed }) => [name, witnessedServer(home, name, ...(deed === 'unanswered' ? [impatient] : []))]),
    );
    const mcpdo = (...args) => run(life, 'mcpdo', args, { env });
    const json = async (...args) => JSON.parse(await mcpdo('--format', 'json', ...args));

    before(async () => {
        env.MCP_INSPECTOR_SECRET_STORE = 'memory';
        for (const [, name, value] of (await mcpdo('private')).matchAll(/^export (\w+)='(.*)'$/gm)) {
            env[name] = value;
        }
        const mcpServers = Object.fromEntries(
            Object.entries(servers).map(([name, { command, args }]) => [name, { type: 'stdio', command, args }]),
        );
        const config = join(home, 'mcp.json');
        writeFileSync(config, JSON.stringify({ mcpServers }));
        const [first, ...others] = rows;
        const connect = ({ name, era }) => mcpdo('--config', config, 'connect', name, '--era', era, '--elicit', 'both');
        await connect(first);
        const { pid } = await json('daemon', 'status');
        life.atTheEnd(() => stopDaemon(pid));
        for (const other of others) {
            await connect(other);
        }
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

    async function ask(name) {
        const { elicitationPending } = await json(`@${name}`, 'tools/call', 'elicit_doctor', 'probeElicitation:=true');
        assert.ok(elicitationPending.message.endsWith(question), elicitationPending.message);
        return elicitationPending.elicitationId;
    }

    for (const { name, delivery, deed } of rows.filter(({ deed }) => deed in words)) {
        test(`${name}: the report says who did what`, async () => {
            const id = await ask(name);
            await readTheQuestion();
            const { structuredContent: report } = await json('elicitation/respond', id, ...words[deed]);

            checkReport({ name, report, record: servers[name].record, deed, client, delivery });
        });
    }

    test('mcpdo-legacy-unanswered: the report comes without an answer', async () => {
        const name = 'mcpdo-legacy-unanswered';
        const { record } = servers[name];
        const id = await ask(name);
        await within('the report of a probe that nobody answers', reported(record));
        // What this answers is long over; it is how mcpdo gives out the result of the call.
        const { structuredContent: report } = await json('elicitation/respond', id, ...words.accept);

        checkReport({ name, report, record, deed: 'unanswered', client, delivery: eras.legacy });
    });

    test('mcpdo-modern-unanswered: no call is open meanwhile, and there is no report', async () => {
        const name = 'mcpdo-modern-unanswered';
        const { record } = servers[name];
        await ask(name);
        await mcpdo('disconnect', name);

        const witnessed = await readFile(record, 'utf8');
        assert.ok(witnessed.includes('"input_required"'), witnessed);
        assert.ok(!witnessed.includes(reportKey), witnessed);
    });
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
