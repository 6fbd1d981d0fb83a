// What a host may do with the doctor's form, and what the doctor must make of it.
import { setTimeout } from 'node:timers/promises';

const attempted = { attempted: true, data: null };

const byPerson = (answer, result) => ({
    // Longer than the 2 s below which the doctor takes an answer for a machine's.
    handler: () => setTimeout(2_500, answer),
    result: { ...attempted, answeredBy: 'person', ...result },
});

const atOnce = (answer, result) => ({
    handler: async () => answer,
    result: { ...attempted, answeredBy: 'machine', ...result },
});

/** Each answer by its name; those of a person take their time, so let them do that together. */
export const personsAnswers = {
    'a person who accepts': byPerson(
        { action: 'accept', content: { value: 'ok' } },
        { action: 'accept', data: 'ok', verdict: 'working' },
    ),
    'a person who declines': byPerson({ action: 'decline' }, { action: 'decline', verdict: 'user_declined' }),
    'a person who cancels': byPerson({ action: 'cancel' }, { action: 'cancel', verdict: 'user_declined' }),
};

export const machinesAnswers = {
    'a machine that accepts': atOnce(
        { action: 'accept', content: { value: 'ok' } },
        { action: 'accept', data: 'ok', verdict: 'working', diagnosis: 'accepted_too_fast' },
    ),
    'a machine that fills in the first option': atOnce(
        { action: 'accept', content: { value: 'left' } },
        { action: 'accept', data: 'left', verdict: 'working', diagnosis: 'first_option_filled_in' },
    ),
    'a machine that accepts without content': atOnce(
        { action: 'accept' },
        {
            action: 'accept',
            verdict: 'unsupported',
            diagnosis: 'accepted_without_content',
            reason: 'accepted without the required value',
        },
    ),
    'a machine that declines': atOnce(
        { action: 'decline' },
        { action: 'decline', verdict: 'advertised_but_autocanceled', diagnosis: 'refused_too_fast' },
    ),
    'a machine that cancels': atOnce(
        { action: 'cancel' },
        { action: 'cancel', verdict: 'advertised_but_autocanceled', diagnosis: 'refused_too_fast' },
    ),
};

const failed = { ...attempted, action: 'error', verdict: 'unsupported', answeredBy: 'unknown' };

/** What has no answer but an error, in the initialize era; `reason` is only a part of the report's. */
export const failures = {
    'a host without a handler': {
        handler: undefined,
        result: { ...failed, diagnosis: 'declared_but_method_not_found' },
        reason: 'Method not found',
    },
    'a host whose handler throws': {
        handler: async () => {
            throw new Error('the dialog broke');
        },
        result: failed,
        reason: 'the dialog broke',
    },
};
