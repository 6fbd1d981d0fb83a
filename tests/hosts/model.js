// A model on the loopback, by the chat completions API: it calls one tool, and keeps what came back.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

/** Starts a model that calls `tool`, by the name that the host gives it. Ends with the test. */
export async function startModel(life, { tool, arguments: args }) {
    let keep;
    const toolResult = new Promise((resolve) => (keep = resolve));
    const server = createServer(async (request, response) => {
        if (request.method !== 'POST') {
            response.setHeader('content-type', 'application/json');
            response.end(JSON.stringify({ object: 'list', data: [{ id: 'none', object: 'model' }] }));
            return;
        }
        const { messages, tools = [], stream } = await json(request);
        const last = messages.at(-1);
        if (last.role === 'tool') {
            keep(last.content);
        }
        const name = tools.map((offered) => offered.function.name).find((offered) => offered.endsWith(tool));
        const call = { id: 'call-1', type: 'function', function: { name, arguments: JSON.stringify(args) } };
        const message =
            last.role === 'tool' || !name
                ? { role: 'assistant', content: name ? 'Done.' : `There is no tool ${tool}.` }
                : { role: 'assistant', content: null, tool_calls: [{ index: 0, ...call }] };
        reply(response, stream, message);
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    life.atTheEnd(() => {
        server.close();
        server.closeAllConnections();
    });
    return { url: `http://127.0.0.1:${server.address().port}/v1`, toolResult };
}

function reply(response, stream, message) {
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const choice = { index: 0, finish_reason: message.tool_calls ? 'tool_calls' : 'stop' };
    const completion = { id: 'completion', created: 1, model: 'none', usage };
    if (stream) {
        const chunk = { ...completion, object: 'chat.completion.chunk', choices: [{ ...choice, delta: message }] };
        response.setHeader('content-type', 'text/event-stream');
        response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
    } else {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ ...completion, object: 'chat.completion', choices: [{ ...choice, message }] }));
    }
}
