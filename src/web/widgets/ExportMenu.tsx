import { Download } from 'lucide-react'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Menu } from '../ui/overlay/Menu.tsx'
import { useCsvExport } from './use-csv-export.ts'

/** A file: its name in the menu, its address, and what it holds, said when it fails. */
export type ExportFile = { label: string; address: string; what: string }

/** All that the filters let through, not only the rows on screen (OPEN-POINTS 10); a menu where there are several files. */
export function ExportMenu({ files, disabled = false }: { files: readonly [ExportFile, ...ExportFile[]]; disabled?: boolean }) {
  const { mutate, isPending } = useCsvExport()
  const text = isPending ? 'Exporting...' : 'Export'
  const [only] = files
  if (files.length === 1 || isPending || disabled) {
    return (
      <Button disabled={isPending || disabled} onClick={() => mutate(only)}>
        <Download aria-hidden />
        {text}
      </Button>
    )
  }
  return (
    <Menu
      label="Export"
      triggerClass={buttonClass()}
      trigger={
        <>
          <Download aria-hidden />
          {text}
        </>
      }
      entries={files.map((file) => ({
        kind: 'action' as const,
        label: file.label,
        icon: <Download aria-hidden />,
        onSelect: () => mutate(file),
      }))}
    />
  )
}
