// Every elicitation scenario of the official conformance suite, each a test. The suite calls some checks passed when the
// server refuses the request, and a warning no failure: so no check may be anything but a success, and the server must have
// been called and have answered as this table says.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, afterEach, before, describe, test } from 'node:test';

import { emptyHome, lifetime, run, server, start, within } from '../hosts/surroundings.js';

const elicitation = 'test_input_required_result_elicitation';
const asksForTheName = { asks: { user_name: 'elicitation/create' } };

/** What is called in each scenario, and what the server answers: a text, the code of an error, or what it asks back. */
const scenarios = {
    'tools-call-elicitation': [
        ['test_elicitation', 'User response: accepted {"username":"testuser","email":"test@example.com"}'],
    ],
    'elicitation-sep1034-defaults': [
        [
            'test_elicitation_sep1034_defaults',
            'Elicitation completed: accepted {"name":"Jane Smith","age":25,"score":88,"status":"inactive","verified":false}',
        ],
    ],
    'elicitation-sep1330-enums': [
        [
            'test_elicitation_sep1330_enums',
            'Elicitation completed: accepted {"untitledSingle":"option1","titledSingle":"value1","legacyEnum":"opt1",' +
                '"untitledMulti":["option1","option2"],"titledMulti":["value1","value2"]}',
        ],
    ],
    'input-required-result-basic-elicitation': [
        [elicitation, asksForTheName],
        [elicitation, 'Hello, Alice!'],
    ],
    'input-required-result-basic-sampling': [
        ['test_input_required_result_sampling', { asks: { capital_question: 'sampling/createMessage' } }],
        ['test_input_required_result_sampling', 'The capital of France is Paris.'],
    ],
    'input-required-result-basic-list-roots': [
        ['test_input_required_result_list_roots', { asks: { client_roots: 'roots/list' } }],
        ['test_input_required_result_list_roots', 'file:///test/root'],
    ],
    'input-required-result-request-state': [
        ['test_input_required_result_request_state', { asks: { confirm: 'elicitation/create' } }],
        ['test_input_required_result_request_state', 'state-ok True'],
    ],
    'input-required-result-multiple-input-requests': [
        [
            'test_input_required_result_multiple_inputs',
            { asks: { user_name: 'elicitation/create', greeting: 'sampling/createMessage', client_roots: 'roots/list' } },
        ],
        ['test_input_required_result_multiple_inputs', 'Alice: Hello there! file:///test/root'],
    ],
    'input-required-result-multi-round': [
        ['test_input_required_result_multi_round', { asks: { step1: 'elicitation/create' } }],
        ['test_input_required_result_multi_round', { asks: { step2: 'elicitation/create' } }],
        ['test_input_required_result_multi_round', 'Alice likes blue.'],
    ],
    'input-required-result-missing-input-response': [[elicitation, asksForTheName]],
    'input-required-result-non-tool-request': [
        ['test_input_required_result_prompt', { asks: { user_context: 'elicitation/create' } }],
        ['test_input_required_result_prompt', 'Use this context: test context'],
    ],
    'input-required-result-result-type': [[elicitation, asksForTheName]],
    'input-required-result-unsupported-methods': [
        ['tools/list', 'a list'],
        ['prompts/list', 'a list'],
    ],
    'input-required-result-tampered-state': [
        ['test_input_required_result_tampered_state', { asks: { confirm: 'elicitation/create' } }],
        ['test_input_required_result_tampered_state', { error: -32602 }],
    ],
    'input-required-result-capability-check': [
        ['test_input_required_result_capabilities', { asks: { capital_question: 'sampling/createMessage' } }],
    ],
    'input-required-result-ignore-extra-params': [[elicitation, 'Hello, Alice!']],
    // The answer is first a number, then null.
    'input-required-result-validate-input': [
        [elicitation, asksForTheName],
        [elicitation, asksForTheName],
    ],
};

describe('conformance', () => {
    const life = lifetime(after);
    const { home, env } = emptyHome(life);
    let address;

    before(async () => {
        const { child, ended, log } = start(life, 'dotnet', [server], { env });
        const [line] = await within(
            'the address of the server',
            Promise.race([
                once(createInterface({ input: child.stdout }), 'line'),
                ended.then((code) => {
                    throw new Error(`The server ended with ${code}.\n${log()}`);
                }),
            ]),
        );
        assert.match(line, /^http:\/\/127\.0\.0\.1:\d+$/, `The server does not say where it is: ${line}`);
        address = line;
    });

    const witnessed = async () => (await fetch(`${address}/witnessed`)).json();

    // What a scenario that failed half-way has left is not the next one's.
    afterEach(witnessed);

    for (const [scenario, exchanges] of Object.entries(scenarios)) {
        test(scenario, async () => {
            const folder = join(home, scenario);
            // With --verbose what is said of a failure has the checks in it as they are in the file.
            await run(
                life,
                'conformance',
                ['server', '--url', `${address}/mcp`, '--scenario', scenario, '--output-dir', folder, '--verbose'],
                { env },
            );
            const [results] = readdirSync(folder);
            const rawText = readFileSync(join(folder, results, 'checks.json'), 'utf8');
            const messages = await witnessed();

            const evidence = `checks.json: ${rawText}\nThe server received and sent: ${JSON.stringify(messages, null, 2)}`;
            const checks = JSON.parse(rawText);
            const notPassed = checks.filter(({ status }) => status !== 'SUCCESS').map(({ id }) => id);
            assert.deepEqual(notPassed, [], `${notPassed} did not pass. ${evidence}`);
            assert.ok(checks.some(({ id }) => id === 'wire-schema-valid'), `The suite saw no message. ${evidence}`);
            assert.deepEqual(calls(messages), exchanges, `The server was not called, or did not answer, as it should. ${evidence}`);
        });
    }
});

/** Each request with the answer to it, as in the table. */
function calls(messages) {
    return messages
        .filter(({ method }) => method && method !== 'initialize')
        .map(({ id, method, params }) => {
            const answer = messages.find((message) => message.id === id && !message.method);
            return [params?.name ?? method, answer && summary(answer)];
        });
}

function summary({ error, result }) {
    if (error) {
        return { error: error.code };
    }
    if (result.resultType === 'input_required') {
        return { asks: Object.fromEntries(Object.entries(result.inputRequests).map(([key, { method }]) => [key, method])) };
    }
    const { tools, prompts, messages, content } = result;
    if (tools?.length > 0 || prompts?.length > 0) {
        return 'a list';
    }
    return (content ?? messages.map((message) => message.content)).map(({ text }) => text).join('\n');
}
