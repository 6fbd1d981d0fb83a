// Stands between a host and the server, passes everything on, and writes down who said what and when, so that a report
// is compared with what really happened: node witness.js RECORD SERVER [ARGUMENT…]
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

const [record, command, ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });

pass(process.stdin, server.stdin, 'host');
pass(server.stdout, process.stdout, 'server');
server.on('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => server.kill(signal));
}

function pass(source, sink, from) {
    let rest = '';
    source.setEncoding('utf8');
    source.on('data', (text) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop();
        for (const line of lines) {
            note(from, line);
        }
        sink.write(text);
    });
    source.on('end', () => sink.end());
    // Either side may go first.
    sink.on('error', () => {});
}

function note(from, line) {
    let message = line;
    try {
        message = JSON.parse(line);
    } catch {
        // A line that is no JSON is evidence too.
    }
    appendFileSync(record, `${JSON.stringify({ at: performance.now(), from, message })}\n`);
}
