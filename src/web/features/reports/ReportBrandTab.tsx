import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Palette, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { logoLimits, type ReportBrand, type ReportBrandChange, reportBrandChange } from '../../../contract/reports/reports.ts'
import { ApiFailure, failureText } from '../../api/client.ts'
import { removeLogo, reportBrandQuery, saveBrand, saveLogo } from '../../api/reports.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { FileDrop } from '../../ui/form/FileDrop.tsx'
import { FormProblem } from '../../ui/form/FormProblem.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { LockedFeature } from '../../widgets/LockedFeature.tsx'
import { BrandLogo, brandScope, inBrandClass } from '../../widgets/report/brand.tsx'
import { lockedWords } from './copy.ts'
import { ListFailure, ListLoading } from './ListStates.tsx'

/** The look and the sender of reports. */
export function ReportBrandTab() {
  const { plan } = useCurrentUser()
  const { data, error, refetch } = useQuery(reportBrandQuery(plan))
  if (error !== null) return <ListFailure what="your brand" error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <ListLoading what="your brand" />
  return data.locked === null ? <Brand data={data} /> : <LockedFeature Icon={Palette} reason={data.locked} {...lockedWords.brand} />
}

function Brand({ data: { brand } }: { data: ReportBrand }) {
  const { plan } = useCurrentUser()
  const client = useQueryClient()
  const [typed, setTyped] = useState(() => typedOf(brand))
  const show = (saved: ReportBrand): void => {
    client.setQueryData(reportBrandQuery(plan).queryKey, saved)
  }
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2 xl:gap-5">
      <div className="flex min-w-0 flex-col gap-4 xl:gap-5">
        <SectionCard title="Your brand" description="Shown on report pages, in PDFs and in report emails.">
          <BrandForm typed={typed} onType={setTyped} onSaved={show} />
        </SectionCard>
        <SectionCard title="Logo" description="At the top of every report and email.">
          <LogoPart brand={brand} onSaved={show} />
        </SectionCard>
      </div>
      <BrandPreview typed={typed} logo={brand?.logo ?? null} />
    </div>
  )
}

const nothingTyped = '#5b6470'

/** How the input will look to a client: a report's header, heading, line and button, and the email's sender. */
function BrandPreview({ typed, logo }: { typed: TypedBrand; logo: string | null }) {
  const { className, style } = brandScope(isColor(typed.color) ? typed.color : nothingTyped)
  const name = typed.name.trim() === '' ? 'Your brand' : typed.name
  const sender = typed.senderName.trim() === '' ? name : typed.senderName
  return (
    <SectionCard title="Preview" description="As your clients see it.">
      <div className={clsx('overflow-hidden rounded-control border border-line bg-page', className)} style={style}>
        <div className={clsx('h-1.5', inBrandClass)} />
        <div className="flex flex-col gap-4 p-4">
          <BrandLogo brand={{ name, logo }} />
          <div>
            <p className="text-title font-semibold text-brand">Monthly report</p>
            <p className="text-muted wrap-anywhere">{name}</p>
          </div>
          <svg aria-hidden viewBox="0 0 240 48" preserveAspectRatio="none" className="h-16 w-full overflow-visible">
            <path
              d="M0 40 30 34 60 37 90 24 120 28 150 18 180 22 210 9 240 12"
              fill="none"
              vectorEffect="non-scaling-stroke"
              className="stroke-brand stroke-2"
            />
          </svg>
          <span aria-hidden className={clsx(buttonClass('primary', 'self-start'), inBrandClass)}>
            Download PDF
          </span>
        </div>
        <p className="border-t border-line p-4 text-sm wrap-anywhere text-muted">
          Emails come from <strong className="font-medium text-text">{sender}</strong>
          {typed.replyTo.trim() !== '' && (
            <>
              {' '}
              and replies go to <strong className="font-medium text-text">{typed.replyTo}</strong>
            </>
          )}
          .
        </p>
      </div>
    </SectionCard>
  )
}

type LogoPartProps = { brand: ReportBrand['brand']; onSaved: (saved: ReportBrand) => void }

const megabytes = logoLimits.bytes / 1024 / 1024

/** The logo as redrawn by the server, and replacing it. */
function LogoPart({ brand, onSaved }: LogoPartProps) {
  const [file, setFile] = useState<File | null>(null)
  const uploading = useMutation({
    mutationFn: async (chosen: File) => {
      if (chosen.size > logoLimits.bytes) throw new Error(`The logo must be ${megabytes} MB or smaller`)
      return saveLogo(chosen)
    },
    onMutate: (chosen) => setFile(chosen),
    onSuccess: (saved) => {
      onSaved(saved)
      setFile(null)
      toast.success('Logo Saved')
    },
  })
  const removing = useMutation({
    mutationFn: removeLogo,
    onSuccess: (saved) => {
      onSaved(saved)
      uploading.reset()
      setFile(null)
      toast.success('Logo Removed')
    },
    onError: (error) => toast.error('Logo Not Removed', failureText(error, 'Please try again.')),
  })
  if (brand === null) return <p className="text-muted">Save your brand's name and color first. Then add a logo.</p>
  return (
    <div className="flex flex-col gap-4">
      {brand.logo !== null && (
        <div className="flex flex-wrap items-center gap-4">
          <BrandLogo brand={brand} />
          <Button disabled={removing.isPending} onClick={() => removing.mutate()}>
            <Trash2 aria-hidden />
            Remove logo
          </Button>
        </div>
      )}
      <FileDrop
        label={brand.logo === null ? 'Add logo' : 'Replace logo'}
        hint={`PNG, JPEG or WebP, up to ${megabytes} MB. Shown at up to ${logoLimits.shownWidth} by ${logoLimits.shownHeight} pixels.`}
        accept="image/png,image/jpeg,image/webp"
        files={file === null ? [] : [file]}
        error={uploading.error === null ? undefined : failureText(uploading.error)}
        onChoose={([chosen]) => chosen && uploading.mutate(chosen)}
      />
      {uploading.isPending && <output className="text-muted">Uploading…</output>}
    </div>
  )
}

type BrandFormProps = { typed: TypedBrand; onType: (typed: TypedBrand) => void; onSaved: (saved: ReportBrand) => void }
type Problems = Partial<Record<string, string>>

/** Name, color and sender; input shows in the preview at once. */
function BrandForm({ typed, onType, onSaved }: BrandFormProps) {
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
type TypedBrand = { name: string; color: string; senderName: string; replyTo: string }

/** The product's own blue as a start. */
const firstColor = '#2457c5'

const typedOf = (brand: ReportBrand['brand']): TypedBrand => ({
  name: brand?.name ?? '',
  color: brand?.color ?? firstColor,
  senderName: brand?.senderName ?? '',
  replyTo: brand?.replyTo ?? '',
})

/** In the contract's form: an empty address means no separate one. */
const changeOf = ({ replyTo, ...typed }: TypedBrand) => ({ ...typed, replyTo: replyTo.trim() === '' ? null : replyTo.trim() })

/** While a color is being typed, the previous one stays. */
const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)
