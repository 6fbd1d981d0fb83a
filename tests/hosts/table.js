// Prints the reports of a folder, and what the sample's own tools did, as tables: node table.js FOLDER
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
const kept = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({ name: file.replace(/\.json$/, ''), ...JSON.parse(readFileSync(join(folder, file), 'utf8')) }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));

print(
    ['host', 'revision', 'action', 'ms', 'verdict', 'answered by', 'diagnosis'],
    kept
        .filter(({ probes }) => probes)
        .map(({ name, revision, probes }) => {
            const { action, latencyMs, verdict, answeredBy, diagnosis = '' } = probes.elicitationForm;
            return [name, revision, action, String(latencyMs), verdict, answeredBy, diagnosis];
        }),
);
console.log();
print(
    ['host', 'tool', 'action', 'ms', 'files left', 'what the tool said'],
    kept
        .filter(({ tool }) => tool)
        .map(({ name, tool, answer, latencyMs, files, text }) => {
            return [name, tool, answer?.action ?? 'none', String(latencyMs ?? ''), files.join(' '), text];
        }),
);

function print(header, rows) {
    const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column].length)));
    for (const row of [header, widths.map((width) => '-'.repeat(width)), ...rows]) {
        console.log(`| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`);
    }
}
