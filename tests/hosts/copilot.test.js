// Copilot CLI in print mode, where nobody can be asked, with a model on the loopback that calls one tool.
import { test } from 'node:test';

import { checkReport, checkTool, nobodysDeed, probe } from './expectations.js';
import { startModel } from './model.js';
import { emptyHome, lifetime, run, within, witnessedServer } from './surroundings.js';

const client = { name: 'copilot-cli', version: '1.0.102' };

/** The text that the model got from the tool, and the server that said it. */
async function print(t, name, call) {
    const life = lifetime((end) => t.after(end));
    const { home, env } = emptyHome(life);
    const server = witnessedServer(home, name);
    const model = await startModel(life, call);
    Object.assign(env, { COPILOT_OFFLINE: 'true', COPILOT_PROVIDER_BASE_URL: model.url, COPILOT_MODEL: 'none' });
    const { command, args } = server;
    const mcpServers = { doctor: { type: 'stdio', command, args, tools: ['*'] } };
    const options = ['--allow-all-tools', '--disable-builtin-mcps', '--disable-client-telemetry'];
    const config = ['--additional-mcp-config', JSON.stringify({ mcpServers })];
    await run(life, 'copilot', ['-p', `Call ${call.tool}.`, ...options, ...config], { env, cwd: home });
    return { text: await within(`the result of ${call.tool} at the model`, model.toolResult), server };
}

test('copilot-print: nobody was asked, and the report says that a machine declined', async (t) => {
    const name = 'copilot-print';
    const { text, server } = await print(t, name, probe);

    const { record } = server;
    checkReport({ name, report: JSON.parse(text), record, deed: 'nobody there', client, delivery: 'input_required' });
});

test('copilot-print-delete: nobody was asked, and nothing was deleted', async (t) => {
    const name = 'copilot-print-delete';
    const { text, server } = await print(t, name, nobodysDeed.call);

    checkTool({ name, text, server, deed: nobodysDeed, delivery: 'input_required' });
});
