// Copilot CLI in print mode, where nobody can be asked, with a model on the loopback that calls the doctor.
import { test } from 'node:test';

import { checkReport } from './expectations.js';
import { startModel } from './model.js';
import { emptyHome, lifetime, run, within, witnessedServer } from './surroundings.js';

const client = { name: 'copilot-cli', version: '1.0.102' };

test('copilot-print: nobody was asked, and the report says that a machine declined', async (t) => {
    const name = 'copilot-print';
    const life = lifetime((end) => t.after(end));
    const { home, env } = emptyHome(life);
    const { command, args, record } = witnessedServer(home, name);
    const model = await startModel(life, { tool: 'elicit_doctor', arguments: { probeElicitation: true } });
    Object.assign(env, { COPILOT_OFFLINE: 'true', COPILOT_PROVIDER_BASE_URL: model.url, COPILOT_MODEL: 'none' });
    const mcpServers = { doctor: { type: 'stdio', command, args, tools: ['*'] } };
    const options = ['--allow-all-tools', '--disable-builtin-mcps', '--disable-client-telemetry'];
    const config = ['--additional-mcp-config', JSON.stringify({ mcpServers })];
    await run(life, 'copilot', ['-p', 'Call elicit_doctor.', ...options, ...config], { env, cwd: home });
    const report = JSON.parse(await within('the result of elicit_doctor at the model', model.toolResult));

    checkReport({ name, report, record, deed: 'nobody there', client, delivery: 'input_required' });
});
