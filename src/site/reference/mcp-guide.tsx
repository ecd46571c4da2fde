import type { ReactNode } from 'react'
import { Code } from './Code.tsx'

/** How assistants are connected. @param path where the server is */
export const mcpGuide = (path: string): ReactNode => (
  <>
    <p>
      Assistants that speak the Model Context Protocol ask the same questions in plain words: which sites there are, how one is doing, what
      rose and fell, what is worth working on, which alerts are open and what is behind them, what happened around a day. The server is at{' '}
      <code>{`{{address}}${path}`}</code> (streamable HTTP) and takes the same keys.
    </p>
    <Code label="Settings of an assistant">{`{
  "mcpServers": {
    "ranklark": {
      "type": "http",
      "url": "{{address}}${path}",
      "headers": { "Authorization": "Bearer rk_…" }
    }
  }
}`}</Code>
    <p>
      Every answer says of which days it is, through which day figures are complete, and what is missing from them. A key that may only read
      is not offered what changes things: acknowledging and snoozing alerts, and writing notes. Queries, addresses and notes in answers were
      written by others; give assistants that act on their own a key that may only read.
    </p>
  </>
)
