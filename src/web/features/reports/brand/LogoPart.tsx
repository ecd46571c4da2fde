import { useMutation } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { logoLimits, type ReportBrand } from '../../../../contract/publishing.ts'
import { failureText } from '../../../api/client.ts'
import { removeLogo, saveLogo } from '../../../api/publishing.ts'
import { Button } from '../../../ui/Button.tsx'
import { FileDrop } from '../../../ui/form/FileDrop.tsx'
import { toast } from '../../../ui/overlay/toast.ts'
import { BrandLogo } from '../../../widgets/report/BrandLogo.tsx'

type LogoPartProps = { brand: ReportBrand['brand']; onSaved: (saved: ReportBrand) => void }

const megabytes = logoLimits.bytes / 1024 / 1024

/** The logo as the server has drawn it, and another one in its place. */
export function LogoPart({ brand, onSaved }: LogoPartProps) {
  const [file, setFile] = useState<File | null>(null)
  const uploading = useMutation({
    mutationFn: async (chosen: File) => {
      if (chosen.size > logoLimits.bytes) throw new Error(`The logo must be at most ${megabytes} MiB`)
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
        hint={`PNG, JPEG or WebP, up to ${megabytes} MiB. Shown at up to ${logoLimits.shownWidth} by ${logoLimits.shownHeight} pixels.`}
        accept="image/png,image/jpeg,image/webp"
        files={file === null ? [] : [file]}
        error={uploading.error === null ? undefined : failureText(uploading.error)}
        onChoose={([chosen]) => chosen && uploading.mutate(chosen)}
      />
      {uploading.isPending && <output className="text-muted">Uploading…</output>}
    </div>
  )
}
