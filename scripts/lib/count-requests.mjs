// Loaded into the test processes (--import): counts requests to our own servers, but not those to the stand-ins.
import { subscribe } from 'node:diagnostics_channel'
import { writeFileSync } from 'node:fs'
import path from 'node:path'

const directory = process.env.COUNTED_REQUESTS
if (directory) {
  /** @type {WeakSet<object>} */
  const ours = new WeakSet()
  let requests = 0
  let written = 0
  subscribe('fastify.initialization', (message) => void ours.add(/** @type {any} */ (message).fastify.server))
  subscribe('http.server.request.start', (message) => {
    if (ours.has(/** @type {any} */ (message).server)) requests += 1
  })
  const write = () => {
    if (requests === written) return
    written = requests
    writeFileSync(path.join(directory, String(process.pid)), String(requests))
  }
  // A test process may be killed without notice.
  setInterval(write, 200).unref()
  process.once('exit', write)
}
