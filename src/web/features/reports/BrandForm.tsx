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

/** Name, colour and sender; what is typed shows in the preview at once. */
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
      <ColourField value={typed.colour} error={problems['colour']} onChange={(colour) => change('colour', colour)} />
      <Field
        label="Sender name"
        autoComplete="off"
        placeholder="Your agency, reports"
        hint="Report emails come from this name. Their address stays this installation's, so they get delivered."
        {...field('senderName')}
      />
      <Field
        label="Reply-to address"
        type="email"
        autoComplete="email"
        placeholder="you@your-agency.example"
        hint="Optional. Replies to report emails go here."
        {...field('replyTo')}
      />
      {isElsewhere && <FormProblem>{failureText(saving.error, "Couldn't save the brand. Please try again.")}</FormProblem>}
      <Button type="submit" variant="primary" className="self-start" disabled={saving.isPending}>
        {saving.isPending ? 'Saving...' : 'Save brand'}
      </Button>
    </form>
  )
}

type ColourFieldProps = { value: string; error: string | undefined; onChange: (colour: string) => void }

/** A colour, by its number or by the browser's own picker. */
function ColourField({ value, error, onChange }: ColourFieldProps) {
  return (
    <div className="flex items-start gap-2">
      <input
        type="color"
        aria-label="Pick a color"
        title="Pick a color"
        value={isColour(value) ? value : '#000000'}
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
          hint="Used for headings, lines and buttons. Text on it is black or white, whichever is readable."
          value={value}
          error={error}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </div>
    </div>
  )
}

/** What can be typed about a brand. */
export type TypedBrand = { name: string; colour: string; senderName: string; replyTo: string }

/** The product's own blue, to begin with. */
const firstColour = '#2457c5'

export const typedOf = (brand: ReportBrand['brand']): TypedBrand => ({
  name: brand?.name ?? '',
  colour: brand?.colour ?? firstColour,
  senderName: brand?.senderName ?? '',
  replyTo: brand?.replyTo ?? '',
})

/** As the contract takes it: who leaves the address empty wants no other one. */
const changeOf = ({ replyTo, ...typed }: TypedBrand) => ({ ...typed, replyTo: replyTo.trim() === '' ? null : replyTo.trim() })

/** While a colour is being typed, the one before stays. */
export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)
