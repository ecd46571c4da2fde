import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { ApiScope } from '../../../contract/api-keys.ts'
import type { Person } from '../../accounts/service.ts'
import { Refusal, storeIsAway, overTimeWords } from '../../common/errors.ts'
import { buildInTurn } from '../../common/long-answers.ts'
import { awayStore, isOverTime } from '../../platform/store-outages.ts'
import type { JsonSchema } from '../openapi/schemas.ts'
import { tidied } from '../openapi/tidy.ts'
import { visible } from './copy.ts'

/** A question or action available in a conversation. */
export type McpTool = {
  definition: Tool
  /** The scope a key needs to see it. */
  scope: ApiScope
  /** Bad arguments and refusals become answers that a model can act on; anything else is thrown. */
  call(person: Person, args: unknown): Promise<CallToolResult>
}

type Described<Input extends z.ZodObject, Output extends z.ZodObject> = {
  name: string
  title: string
  description: string
  scope: ApiScope
  /** Idempotent: repeating it has no further effect. */
  idempotent?: boolean
  input: Input
  output: Output
  run(person: Person, args: z.output<Input>): Promise<z.input<Output>>
  /** The answer in words for people, from data without hidden characters. */
  text(answer: z.output<Output>): string
}

export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(of: Described<Input, Output>): McpTool {
  const { name, title, description, scope, output } = of
  const input = of.input.strict()
  return {
    scope,
    definition: {
      name,
      title,
      description,
      inputSchema: objectSchema(input, 'input'),
      outputSchema: objectSchema(output, 'output'),
      annotations: {
        title,
        readOnlyHint: scope === 'read',
        destructiveHint: false,
        idempotentHint: scope === 'read' || of.idempotent === true,
        openWorldHint: false,
      },
    },
    async call(person, args) {
      const given = input.safeParse(args ?? {})
      if (!given.success) return failed(`Invalid arguments for ${name}.\n${reasons(given.error, Object.keys(input.shape))}`)
      try {
        return await buildInTurn({ isLong: 'names' }, async () => {
          const answer = output.parse(visible(await of.run(person, given.data as z.output<Input>)))
          return { content: [{ type: 'text', text: of.text(answer) }], structuredContent: answer }
        })
      } catch (error) {
        if (error instanceof Refusal) return failed(visible(error.message))
        const away = awayStore(error)
        if (away !== null) return failed(storeIsAway[away])
        if (isOverTime(error)) return failed(overTimeWords(error))
        throw error
      }
    },
  }
}

const failed = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true })

function reasons(error: z.ZodError, known: readonly string[]): string {
  return error.issues
    .slice(0, 10)
    .map((issue) => {
      if (issue.code !== 'unrecognized_keys') return `- ${[...issue.path, ''].join(': ')}${issue.message}`
      const names = issue.keys.slice(0, 5).map((key) => visible(key.slice(0, 100)))
      return `- Unknown argument ${names.join(', ')}. ${known.length === 0 ? 'This tool takes none.' : `Valid ones: ${known.join(', ')}.`}`
    })
    .join('\n')
}

const objectForm = z.looseObject({
  type: z.literal('object'),
  properties: z.record(z.string(), z.looseObject({})).optional(),
  required: z.array(z.string()).optional(),
})

/** JSON Schema 2020-12 without its dialect, the default; short, since every conversation contains it. */
function objectSchema(schema: z.ZodObject, io: 'input' | 'output'): Tool['inputSchema'] {
  const { $schema: _dialect, ...made } = z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any' })
  const { type, properties, required } = objectForm.parse(tidied(made as JsonSchema, {}))
  return { type, ...(properties && { properties }), ...(required && { required }), ...(io === 'input' && { additionalProperties: false }) }
}
