import type { ComponentProps } from 'react'
import { TextAreaField } from '../../ui/form/Field.tsx'
import { linesOf } from './rule-values.ts'
import { watchesNothing } from './rule-words.ts'

const words = {
  pages: { label: 'Pages, one per line', placeholder: 'https://example.com/a-page' },
  queries: { label: 'Queries, one per line', placeholder: 'a search query' },
} as const

type TargetsFieldProps = Omit<ComponentProps<typeof TextAreaField>, 'label' | 'placeholder' | 'hint'> & {
  of: keyof typeof words
  /** What has been typed so far. */
  typed: string
}

/** The pages or queries that a rule is about. */
export function TargetsField({ of, typed, ...area }: TargetsFieldProps) {
  return (
    <TextAreaField
      {...words[of]}
      rows={3}
      spellCheck={false}
      autoCapitalize="none"
      hint={!area.error && watchesNothing(of, linesOf(typed))}
      {...area}
    />
  )
}
