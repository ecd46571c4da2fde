import type { ComponentProps } from 'react'
import { TextAreaField } from '../../ui/TextAreaField.tsx'

const words = {
  pages: { label: 'Pages, one per line', placeholder: 'https://example.com/a-page' },
  queries: { label: 'Queries, one per line', placeholder: 'a search query' },
} as const

type TargetsFieldProps = Omit<ComponentProps<typeof TextAreaField>, 'label' | 'placeholder' | 'hint'> & {
  of: keyof typeof words
  /** Nothing was chosen so far. */
  empty: boolean
}

/** The pages or queries that a rule is about. */
export function TargetsField({ of, empty, ...area }: TargetsFieldProps) {
  return (
    <TextAreaField
      {...words[of]}
      rows={3}
      spellCheck={false}
      autoCapitalize="none"
      hint={empty && !area.error && `No ${of} chosen yet, so this rule watches nothing.`}
      {...area}
    />
  )
}
