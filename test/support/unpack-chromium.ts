import { inflate } from '@sparticuz/chromium'

// Run by browser-chromium.ts in a process of its own: unpacks the files it is given into TMPDIR.
await Promise.all(process.argv.slice(2).map((file) => inflate(file)))
