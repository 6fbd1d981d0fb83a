// What both majors of the client need: the server to start, a record of the wire, and the hosts to play.

const server = process.env.ELICIT_DOCTOR_SERVER;
if (!server) {
    throw new Error('ELICIT_DOCTOR_SERVER must name the server under test: an executable, or a .dll for `dotnet`.');
}

/** The parameters of both majors' `StdioClientTransport`. */
export const serverParameters = {
    ...(server.endsWith('.dll') ? { command: 'dotnet', args: [server] } : { command: server, args: [] }),
    // What goes well need not be logged between the tests.
    env: { ...process.env, Logging__LogLevel__Default: 'Warning' },
};

/** Every host by what it declares, and what the doctor must make of it. */
export const hosts = [
    {
        name: 'a host without elicitation',
        capabilities: {},
        support: { elicitation: false, elicitationForm: false, elicitationUrl: false },
        noFormProbe: 'client did not advertise elicitation',
    },
    {
        name: 'a host that declares {}',
        capabilities: { elicitation: {} },
        support: { elicitation: true, elicitationForm: true, elicitationUrl: false },
    },
    {
        name: 'a host that declares form and url',
        capabilities: { roots: { listChanged: true }, elicitation: { form: {}, url: {} } },
        support: { elicitation: true, elicitationForm: true, elicitationUrl: true },
    },
    {
        name: 'a host that declares url',
        capabilities: { elicitation: { url: {} }, sampling: {} },
        support: { elicitation: true, elicitationForm: false, elicitationUrl: true },
        noFormProbe: 'client did not advertise form mode',
    },
];

/** The five booleans that the report must state for a host. */
export function expectedSupport({ capabilities, support }) {
    return { ...support, sampling: 'sampling' in capabilities, roots: 'roots' in capabilities };
}

let unreachable;

/** Connects. After one failure every later attempt fails at once: a silent server would cost a minute each time. */
export async function connect(client, transport) {
    if (unreachable) {
        throw new Error('The server could not be reached by an earlier test either.', { cause: unreachable });
    }
    try {
        await client.connect(transport);
    } catch (error) {
        unreachable = error;
        throw error;
    }
}

/** Records the messages of a transport in both directions, as the client means them. Call it before connecting. */
export function record(transport) {
    const wire = { sent: [], received: [] };
    const send = transport.send.bind(transport);
    transport.send = (message, ...rest) => {
        wire.sent.push(structuredClone(message));
        return send(message, ...rest);
    };
    const start = transport.start.bind(transport);
    transport.start = () => {
        // The client sets its listener before it starts the transport.
        const listener = transport.onmessage;
        transport.onmessage = (message, ...rest) => {
            wire.received.push(structuredClone(message));
            listener(message, ...rest);
        };
        return start();
    };
    wire.request = (method) => wire.sent.findLast((message) => message.method === method);
    wire.result = (method) => {
        const { id } = wire.request(method);
        return wire.received.find((message) => message.id === id).result;
    };
    return wire;
}

/** Wraps a JSON Schema validator of the SDK and counts what it accepted and refused. */
export function counting(validator) {
    const verdicts = { accepted: 0, refused: 0 };
    return {
        verdicts,
        getValidator(schema) {
            const validate = validator.getValidator(schema);
            return (value) => {
                const result = validate(value);
                verdicts[result.valid ? 'accepted' : 'refused']++;
                return result;
            };
        },
    };
}
