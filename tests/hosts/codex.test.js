// Codex, driven as an editor drives it: `codex app-server`, JSON-RPC lines on its standard input and output. The tool is
// called by the editor, so no model takes part.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';

import { answers, checkReport, checkTool, deeds, deletion, nobodysDeed, probe } from './expectations.js';
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

/** The result of a tool, the server that gave it, and what Codex asked the editor meanwhile. */
async function call(t, name, approvalPolicy, { tool, arguments: given }, answer) {
    const life = lifetime((end) => t.after(end));
    const { home, env } = emptyHome(life);
    const server = witnessedServer(home, name);
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
command = ${toml(server.command)}
args = ${toml(server.args)}
`,
    );
    const { request, notify, questions } = editor(life, home, env, answer);
    await request('initialize', { clientInfo: { name: 'elicit-doctor', title: 'elicit-doctor', version: '1' } });
    notify('initialized');
    const { thread } = await request('thread/start', { cwd: home, approvalPolicy });
    const params = { threadId: thread.id, server: 'doctor', tool, arguments: given };
    return { result: await request('mcpServer/tool/call', params), server, questions };
}

for (const [deed, answer] of Object.entries(answers)) {
    const name = `codex-${deed}`;
    test(`${name}: the report says who did what`, async (t) => {
        const { result, server, questions } = await call(t, name, 'on-request', probe, answer);

        const { structuredContent: report } = result;
        checkReport({ name, report, record: server.record, deed, client, delivery: 'request' });
        assert.deepEqual(questions.map(({ method }) => method), ['mcpServer/elicitation/request']);
    });
}

test('codex-never: nobody was asked, and the report says that a machine declined', async (t) => {
    const name = 'codex-never';
    const { result, server, questions } = await call(t, name, 'never', probe, answers.accept);

    assert.deepEqual(questions, []);
    const { structuredContent: report } = result;
    checkReport({ name, report, record: server.record, deed: 'nobody there', client, delivery: 'request' });
});

for (const [key, deed] of Object.entries(deeds)) {
    const name = `codex-${key}`;
    test(`${name}: the tool did what the person said`, async (t) => {
        const { result, server, questions } = await call(t, name, 'on-request', deed.call, deed.answer);

        checkTool({ name, text: result.content[0].text, server, deed, delivery: 'request' });
        assert.deepEqual(questions.map(({ params }) => params.message), [deed.call.question]);
    });
}

test('codex-never-delete: nobody was asked, and nothing was deleted', async (t) => {
    const name = 'codex-never-delete';
    const { result, server, questions } = await call(t, name, 'never', deletion, deeds.delete.answer);

    assert.deepEqual(questions, []);
    checkTool({ name, text: result.content[0].text, server, deed: nobodysDeed, delivery: 'request' });
});
