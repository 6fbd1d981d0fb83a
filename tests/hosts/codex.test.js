// Codex, driven as an editor drives it: `codex app-server`, JSON-RPC lines on its standard input and output. The tool is
// called by the editor, so no model takes part.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';

import { answers, checkReport } from './expectations.js';
import { emptyHome, lifetime, readTheQuestion, start, within, witnessedServer } from './surroundings.js';

const client = { name: 'codex-mcp-client', version: '0.171.0' };
// TOML knows JSON's strings.
const toml = JSON.stringify;

/** The editor's side of an app-server: its requests, and an answer to each question that the server forwards. */
function editor(life, home, env, answer) {
    const { child, ended, log } = start(life, 'codex', ['app-server'], { env, cwd: home });
    const waiting = new Map();
    const questions = [];
    const send = (message) => child.stdin.write(`${JSON.stringify(message)}\n`);
    createInterface({ input: child.stdout }).on('line', async (line) => {
        const message = JSON.parse(line);
        if (message.method && message.id !== undefined) {
            questions.push(message);
            await readTheQuestion();
            send({ id: message.id, result: { ...answer, content: answer.content ?? null, _meta: null } });
        } else if (message.id !== undefined) {
            waiting.get(message.id)(message);
        }
    });
    const request = async (method, params) => {
        const id = waiting.size + 1;
        const response = new Promise((resolve, reject) => {
            waiting.set(id, resolve);
            ended.then((code) => reject(new Error(`codex app-server ended with ${code} before it answered.\n${log()}`)));
        });
        send({ id, method, params });
        const { result, error } = await within(`the answer of codex app-server to ${method}`, response);
        assert.ok(!error, `codex app-server refused ${method}: ${JSON.stringify(error)}`);
        return result;
    };
    return { request, notify: (method) => send({ method }), questions };
}

async function probe(t, name, approvalPolicy, answer) {
    const life = lifetime((end) => t.after(end));
    const { home, env } = emptyHome(life);
    const { command, args, record } = witnessedServer(home, name);
    mkdirSync(join(home, '.codex'));
    writeFileSync(
        join(home, '.codex', 'config.toml'),
        `model = "none"
model_provider = "nobody"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.nobody]
name = "nobody"
base_url = "http://127.0.0.1:9/v1"

[mcp_servers.doctor]
command = ${toml(command)}
args = ${toml(args)}
`,
    );
    const { request, notify, questions } = editor(life, home, env, answer);
    await request('initialize', { clientInfo: { name: 'elicit-doctor', title: 'elicit-doctor', version: '1' } });
    notify('initialized');
    const { thread } = await request('thread/start', { cwd: home, approvalPolicy });
    const { structuredContent: report } = await request('mcpServer/tool/call', {
        threadId: thread.id,
        server: 'doctor',
        tool: 'elicit_doctor',
        arguments: { probeElicitation: true },
    });
    return { report, record, questions };
}

for (const deed of ['accept', 'decline', 'cancel']) {
    const name = `codex-${deed}`;
    test(`${name}: the report says who did what`, async (t) => {
        const { report, record, questions } = await probe(t, name, 'on-request', answers[deed]);

        checkReport({ name, report, record, deed, client, delivery: 'request' });
        assert.deepEqual(questions.map(({ method }) => method), ['mcpServer/elicitation/request']);
    });
}

test('codex-never: nobody was asked, and the report says that a machine declined', async (t) => {
    const name = 'codex-never';
    const { report, record, questions } = await probe(t, name, 'never', answers.accept);

    assert.deepEqual(questions, []);
    checkReport({ name, report, record, deed: 'nobody there', client, delivery: 'request' });
});
