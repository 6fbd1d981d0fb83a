// Prints the reports of a folder as a table: node table.js FOLDER
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
const header = ['host', 'revision', 'action', 'ms', 'verdict', 'answered by', 'diagnosis'];
const rows = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
        const { revision, probes } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
        const { action, latencyMs, verdict, answeredBy, diagnosis = '' } = probes.elicitationForm;
        return [file.replace(/\.json$/, ''), revision, action, String(latencyMs), verdict, answeredBy, diagnosis];
    });
const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column].length)));
for (const row of [header, widths.map((width) => '-'.repeat(width)), ...rows]) {
    console.log(`| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`);
}
