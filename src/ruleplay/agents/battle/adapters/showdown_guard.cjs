// Runs the Showdown server of the package in the current folder, and ends with whoever started it:
// when standard input closes, or when the parent process is another one than at the start.
'use strict';
const path = require('node:path');
const parent = process.ppid;
process.stdin.on('end', () => process.exit(0)).resume();
process.stdin.on('error', () => process.exit(0));
setInterval(() => process.ppid === parent || process.exit(0), 1000).unref();
require(path.join(process.cwd(), 'pokemon-showdown'));
