// What the doctor must make of each way to answer, and the comparison of its report with what the witness saw.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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

/** The answer that a person's deed is on the wire, in every host that takes it as it is. */
export const answers = {
    accept: { action: 'accept', content: { value: 'ok' } },
    decline: { action: 'decline' },
    cancel: { action: 'cancel' },
};

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
    assert.equal(result.action, seen.action, 'the action that the host sent');
    // The server's clock runs around the witness's; both round.
    assert.ok(latencyMs + 1 >= seen.latencyMs, `${latencyMs} ms in the report, ${seen.latencyMs} ms on the wire`);
}

/** What the host answered to the doctor's form, and after how long; undefined where no answer came before the report. */
function witnessed(record, delivery) {
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
        input_required: ({ params }) => params?.inputResponses?.elicit_doctor,
    }[delivery];
    for (const event of events.slice(asked + 1)) {
        const answer = event.from === 'host' ? answersQuestion(event.message) : undefined;
        if (answer) {
            return { action: answer.action, latencyMs: Math.floor(event.at - at) };
        }
        if (event.from === 'server' && event.message.result?.structuredContent) {
            return undefined;
        }
    }
    return undefined;
}

function keep(name, report) {
    const folder = process.env.ELICIT_DOCTOR_REPORTS;
    if (folder) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(report, null, 2)}\n`);
    }
}
