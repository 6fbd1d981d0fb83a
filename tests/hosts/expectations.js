// What the doctor and the sample's own tools must make of each way to answer, and the comparison of that with what the
// witness saw.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { scratchFiles } from './surroundings.js';

/** The call of the doctor, and how its question ends. */
export const probe = {
    tool: 'elicit_doctor',
    arguments: { probeElicitation: true },
    question: 'Please pick "ok" and confirm.',
};

/** The call that asks before it deletes two of the three files. */
export const deletion = {
    tool: 'delete_files',
    arguments: { pattern: '*.log' },
    question: 'Delete 2 files for good? a.log, b.log',
};

const booking = { tool: 'book_table', arguments: {}, question: 'For which table shall I ask?' };

const byPerson = { attempted: true, data: null, answeredBy: 'person' };

/** The result of the probe by what was done with the form, without the time that it took. */
export const results = {
    accept: { ...byPerson, action: 'accept', data: 'ok', verdict: 'working' },
    decline: { ...byPerson, action: 'decline', verdict: 'user_declined' },
    cancel: { ...byPerson, action: 'cancel', verdict: 'user_declined' },
    unanswered: {
        attempted: true,
        action: 'timeout',
        data: null,
        verdict: 'advertised_but_unanswered',
        answeredBy: 'unknown',
        reason: 'no answer arrived before the time-out',
    },
    'nobody there': {
        attempted: true,
        action: 'decline',
        data: null,
        verdict: 'advertised_but_autocanceled',
        answeredBy: 'machine',
        diagnosis: 'refused_too_fast',
    },
};

const accept = (content) => ({ action: 'accept', content });

/** The answer that a person's deed is on the wire, in every host that takes it as it is. */
export const answers = {
    accept: accept({ value: 'ok' }),
    decline: { action: 'decline' },
    cancel: { action: 'cancel' },
};

const instead = 'Instead: the user can delete them without this server.';

/** What a person does with the question of a tool, what the tool says then, and which files are left. */
export const deeds = {
    book: {
        call: booking,
        answer: accept({ day: '2026-12-24', guests: 4, seating: 'Terrace', note: 'a birthday' }),
        says: 'A table for 4 on Thursday, 24 December 2026 (on the terrace). The kitchen knows: a birthday',
    },
    delete: {
        call: deletion,
        answer: accept({ answer: 'Delete' }),
        says: 'Deleted 2 files.',
        left: ['c.txt'],
    },
    'delete-keep': {
        call: deletion,
        answer: accept({ answer: 'Keep' }),
        says: 'Nothing was deleted. The user said no.',
    },
    'delete-decline': {
        call: deletion,
        answer: answers.decline,
        says: 'Nothing was deleted. The user declined.',
    },
    'delete-cancel': {
        call: deletion,
        answer: answers.cancel,
        says: `Nothing was deleted. The user dismissed the question. ${instead}`,
    },
};

/** The same where nobody is there and the host declines by itself. */
export const nobodysDeed = {
    call: deletion,
    answer: answers.decline,
    says: `Nothing was deleted. The host declined by itself, sooner than anybody could have seen the question. ${instead}`,
};

/** Keeps what a tool said and did and compares it with the deed, and the deed with what the witness saw. */
export function checkTool({ name, text, server, deed, delivery }) {
    const files = server.files();
    const seen = witnessed(server.record, delivery);
    keep(name, { tool: deed.call.tool, ...seen, files, text });
    assert.deepEqual({ text, files }, { text: deed.says, files: deed.left ?? scratchFiles });

    assert.ok(seen, 'the witness saw no answer before the result');
    const { action, content } = seen.answer;
    assert.deepEqual(content ? { action, content } : { action }, deed.answer, 'the answer that the host sent');
}

/** Keeps the report and compares it with the host that was started, with what was done, and with what the witness saw. */
export function checkReport({ name, report, record, deed, client, delivery }) {
    keep(name, report);
    const { request } = report.initialize ?? report.perRequest;
    const { name: clientName, version } = request.clientInfo ?? request._meta['io.modelcontextprotocol/clientInfo'];
    assert.deepEqual({ name: clientName, version }, client, 'the host that the doctor talked to');
    assert.equal(report.delivery, delivery);

    const { latencyMs, ...result } = report.probes.elicitationForm;
    assert.deepEqual(result, results[deed]);

    const seen = witnessed(record, delivery);
    if (deed === 'unanswered') {
        assert.equal(seen, undefined, 'the answer that came before the report');
        return;
    }
    assert.ok(seen, 'the witness saw no answer before the report');
    assert.equal(result.action, seen.answer.action, 'the action that the host sent');
    // The server's clock runs around the witness's; both round.
    assert.ok(latencyMs + 1 >= seen.latencyMs, `${latencyMs} ms in the report, ${seen.latencyMs} ms on the wire`);
}

/** What the host answered to the tool's form, and after how long; undefined where no answer came before the result. */
export function witnessed(record, delivery) {
    const events = readFileSync(record, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
    const asks = {
        request: ({ method }) => method === 'elicitation/create',
        input_required: ({ result }) => result?.resultType === 'input_required',
    }[delivery];
    const asked = events.findIndex(({ from, message }) => from === 'server' && asks(message));
    assert.notEqual(asked, -1, `the witness saw no question of the kind ${delivery}`);
    const { message: question, at } = events[asked];
    const answersQuestion = {
        request: ({ id, result }) => (id === question.id ? result : undefined),
        input_required: ({ params }) => Object.values(params?.inputResponses ?? {})[0],
    }[delivery];
    for (const event of events.slice(asked + 1)) {
        const answer = event.from === 'host' ? answersQuestion(event.message) : undefined;
        if (answer) {
            return { answer, latencyMs: Math.floor(event.at - at) };
        }
        if (event.from === 'server' && event.message.result?.content) {
            return undefined;
        }
    }
    return undefined;
}

function keep(name, evidence) {
    const folder = process.env.ELICIT_DOCTOR_REPORTS;
    if (folder) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(evidence, null, 2)}\n`);
    }
}
