import { SectionCard } from '../../ui/Card.tsx'
import { CodeBlock } from './CodeBlock.tsx'

/** How an assistant is connected. */
export function McpCard() {
  const url = `${window.location.origin}/mcp`
  const settings = { mcpServers: { ranklark: { type: 'http', url, headers: { Authorization: 'Bearer rk_your_key' } } } }
  return (
    <SectionCard
      title="Assistants (MCP)"
      description="AI assistants that support the Model Context Protocol can answer questions about your sites. They use the same keys."
    >
      <dl className="mb-4 flex flex-wrap gap-x-3">
        <dt className="font-medium">Server URL</dt>
        <dd className="min-w-0 font-mono text-sm leading-6 wrap-anywhere">{url}</dd>
      </dl>
      <CodeBlock label="MCP client settings" text={JSON.stringify(settings, null, 2)} copy="Copy settings" />
    </SectionCard>
  )
}
