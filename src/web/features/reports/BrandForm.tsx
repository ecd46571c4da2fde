import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type ReportBrand, type ReportBrandChange, reportBrandChange } from '../../../contract/reports/reports.ts'
import { ApiFailure, failureText } from '../../api/client.ts'
import { saveBrand } from '../../api/reports.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { FormProblem } from '../../ui/form/FormProblem.tsx'
import { toast } from '../../ui/overlay/toast.ts'

type BrandFormProps = { typed: TypedBrand; onType: (typed: TypedBrand) => void; onSaved: (saved: ReportBrand) => void }
type Problems = Partial<Record<string, string>>

/** Name, color and sender; input shows in the preview at once. */
export function BrandForm({ typed, onType, onSaved }: BrandFormProps) {
  const [problems, setProblems] = useState<Problems>({})
  const saving = useMutation({
    mutationFn: (brand: ReportBrandChange) => saveBrand(brand),
    onSuccess: (saved) => {
      onSaved(saved)
      toast.success('Brand Saved', 'Your reports now use this brand.')
    },
    onError: (error) => {
      if (error instanceof ApiFailure && error.problem?.field !== undefined) setProblems({ [error.problem.field]: error.problem.message })
    },
  })

  function change(name: keyof TypedBrand, value: string): void {
    onType({ ...typed, [name]: value })
    setProblems((before) => ({ ...before, [name]: undefined }))
  }

  function save(): void {
    const parsed = reportBrandChange.safeParse(changeOf(typed))
    if (parsed.success) return saving.mutate(parsed.data)
    setProblems(Object.fromEntries(parsed.error.issues.map(({ path, message }) => [String(path[0]), message])))
  }

  const field = (name: keyof TypedBrand) => ({
    value: typed[name],
    error: problems[name],
    onChange: (event: { currentTarget: { value: string } }) => change(name, event.currentTarget.value),
  })
  const isElsewhere = saving.error !== null && Object.values(problems).every((problem) => problem === undefined)
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Field label="Name" autoComplete="organization" placeholder="Your agency" {...field('name')} />
      <ColorField value={typed.color} error={problems['color']} onChange={(color) => change('color', color)} />
      <Field
        label="Sender name"
        autoComplete="off"
        placeholder="Your agency reports"
        hint="Shown as the sender of report emails. To avoid spam filters, they're still sent from this installation's address."
        {...field('senderName')}
      />
      <Field
        label="Reply-to address"
        type="email"
        autoComplete="email"
        placeholder="you@your-agency.example"
        hint="Optional. Replies to report emails go here, so changing it may require your password."
        {...field('replyTo')}
      />
      {isElsewhere && <FormProblem>{failureText(saving.error, "Couldn't save the brand. Please try again.")}</FormProblem>}
      <Button type="submit" variant="primary" className="self-start" disabled={saving.isPending}>
        {saving.isPending ? 'Saving...' : 'Save brand'}
      </Button>
    </form>
  )
}

type ColorFieldProps = { value: string; error: string | undefined; onChange: (color: string) => void }

/** A color, by number or with the browser's own picker. */
function ColorField({ value, error, onChange }: ColorFieldProps) {
  return (
    <div className="flex items-start gap-2">
      <input
        type="color"
        aria-label="Pick a color"
        title="Pick a color"
        value={isColor(value) ? value : '#000000'}
        onChange={(event) => onChange(event.currentTarget.value)}
        className="control mt-6.5 w-12 shrink-0 cursor-pointer rounded-control border border-line-control bg-surface p-1"
      />
      <div className="min-w-0 flex-1">
        <Field
          label="Color"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="#1a73e8"
          hint="Used for headings, lines and buttons. Text on it is black or white, whichever is easier to read."
          value={value}
          error={error}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </div>
    </div>
  )
}

/** The input fields of a brand. */
export type TypedBrand = { name: string; color: string; senderName: string; replyTo: string }

/** The product's own blue as a start. */
const firstColor = '#2457c5'

export const typedOf = (brand: ReportBrand['brand']): TypedBrand => ({
  name: brand?.name ?? '',
  color: brand?.color ?? firstColor,
  senderName: brand?.senderName ?? '',
  replyTo: brand?.replyTo ?? '',
})

/** In the contract's form: an empty address means no separate one. */
const changeOf = ({ replyTo, ...typed }: TypedBrand) => ({ ...typed, replyTo: replyTo.trim() === '' ? null : replyTo.trim() })

/** While a color is being typed, the previous one stays. */
export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)
