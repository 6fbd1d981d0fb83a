// What every program under test gets: an empty home, a clean environment and an end; a host also the server behind a witness,
// and that one a folder with files to delete.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const server = process.env.ELICIT_DOCTOR_SERVER;
if (!server) {
    throw new Error('ELICIT_DOCTOR_SERVER must name the server under test: run `cargo xtask hosts` or `cargo xtask conformance`.');
}
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
    throw new Error(
        `What is tested here needs Node.js 22.19 or later, and this is ${process.versions.node}. ` +
            'On Linux x64 `npm ci` installs one beside them; elsewhere put one on the PATH.',
    );
}

/** How long any single step of a host may take. None needs it; a host that hangs must not hang the run. */
const PATIENCE_S = 90;

/** What a test began, to be ended with it: the last first, whatever becomes of the others. */
export function lifetime(after) {
    const ends = [];
    after(async () => {
        const errors = [];
        // An end may begin something too.
        while (ends.length > 0) {
            await ends.shift()().catch((error) => errors.push(error));
        }
        if (errors.length > 0) {
            throw new AggregateError(errors, errors.map(({ message }) => message).join('\n'));
        }
    });
    return { atTheEnd: (end) => ends.unshift(async () => end()) };
}

/** A folder that is empty and goes with the test, and an environment that names it. */
export function emptyHome(life) {
    // Short, since hosts put sockets there.
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'host-')));
    life.atTheEnd(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
    const nowhere = 'http://127.0.0.1:9';
    return {
        home,
        env: {
            PATH: process.env.PATH,
            HOME: home,
            TMPDIR: home,
            LANG: 'C.UTF-8',
            // Whatever a host wants to fetch from elsewhere, it does not get.
            HTTP_PROXY: nowhere,
            HTTPS_PROXY: nowhere,
            NO_PROXY: '127.0.0.1,localhost',
        },
    };
}

/** What is in a server's scratch folder at first. */
export const scratchFiles = ['a.log', 'b.log', 'c.txt'];

/** How a host starts the server with `options`, where that connection's witness writes, and which files are left. */
export function witnessedServer(home, name, ...options) {
    const record = join(home, `${name}.jsonl`);
    const scratch = join(home, `${name}-scratch`);
    mkdirSync(scratch);
    for (const file of scratchFiles) {
        writeFileSync(join(scratch, file), file);
    }
    const witness = fileURLToPath(new URL('witness.js', import.meta.url));
    const program = server.endsWith('.dll') ? ['dotnet', server] : [server];
    const args = [witness, record, ...program, `--Files:Folder=${scratch}`, ...options];
    return { command: process.execPath, args, record, files: () => readdirSync(scratch).sort() };
}

/** Starts a program in a process group of its own, which ends with the test at the latest. */
export function start(life, command, args, options) {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], detached: true, ...options });
    const ended = new Promise((resolve) => {
        child.on('error', (error) => resolve(`cannot be started: ${error.message}`));
        child.on('close', (code, signal) => resolve(code ?? signal));
    });
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (log += text));
    // A program that is gone does not read, and its end is noticed anyway.
    child.stdin.on('error', () => {});
    life.atTheEnd(async () => {
        child.stdin.end();
        if (!(await Promise.race([ended.then(() => true), setTimeout(5_000, false, { ref: false })])) && child.pid) {
            process.kill(-child.pid, 'SIGKILL');
        }
    });
    return { child, ended, log: () => log };
}

/** Runs a program to its end and gives what it wrote to standard output. */
export async function run(life, command, args, options) {
    const { child, ended, log } = start(life, command, args, options);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.stdin.end();
    const line = [command, ...args].join(' ');
    const code = await within(`the end of \`${line}\``, ended);
    if (code !== 0) {
        throw new Error(`\`${line}\` ended with ${code}.\n${output}${log()}`);
    }
    return output;
}

/** Waits for something, but not for ever. */
export async function within(what, promise) {
    const enough = new AbortController();
    const late = setTimeout(PATIENCE_S * 1_000, undefined, { signal: enough.signal }).then(() => {
        throw new Error(`${what} did not come within ${PATIENCE_S} s.`);
    });
    try {
        return await Promise.race([promise, late]);
    } finally {
        enough.abort();
        late.catch(() => {});
    }
}

/** As long as a person takes to read the question: longer than the 2 s below which the doctor takes an answer for a machine's. */
export const readTheQuestion = () => setTimeout(2_500);
