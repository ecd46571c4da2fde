import { inflate } from '@sparticuz/chromium'

// Run by browser-chromium.ts in a separate process: unpacks the given files into TMPDIR.
await Promise.all(process.argv.slice(2).map((file) => inflate(file)))
