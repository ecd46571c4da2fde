import { Fragment, useId } from 'react'
import { Kbd } from '../../ui/Kbd.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { useShellDialogs } from './shell-dialogs.ts'
import { type Keys, type Shortcut, type ShortcutGroup, shortcutGroups } from './shortcuts.ts'

export function ShortcutsDialog() {
  const { close, opener } = useShellDialogs()
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) close()
      }}
      title="Keyboard shortcuts"
      description="Single-key shortcuts work when you're not typing."
      finalFocus={opener}
    >
      <div className="flex flex-col gap-5">
        {shortcutGroups().map((group) => (
          <Group key={group.title} {...group} />
        ))}
      </div>
    </Dialog>
  )
}

function Group({ title, shortcuts }: ShortcutGroup) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="text-xs font-medium text-muted">
        {title}
      </h3>
      <table aria-labelledby={id} className="mt-1 w-full">
        <thead className="sr-only">
          <tr>
            <th scope="col">Action</th>
            <th scope="col">Keys</th>
          </tr>
        </thead>
        <tbody>
          {shortcuts.map((shortcut) => (
            <Row key={shortcut.does} {...shortcut} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Row({ does, ways }: Shortcut) {
  return (
    <tr className="border-b border-line last:border-0">
      <th scope="row" className="py-1.5 pr-4 text-left font-normal">
        {does}
      </th>
      <td className="py-1.5 text-right text-xs whitespace-nowrap text-muted">
        {ways.map((way, index) => (
          <Fragment key={way.keys.join(' ')}>
            {index > 0 && ' or '}
            <Way {...way} />
          </Fragment>
        ))}
      </td>
    </tr>
  )
}

function Way({ keys, together = false }: Keys) {
  return keys.map((key, index) => (
    <Fragment key={key}>
      {index > 0 && (together ? ' + ' : ' then ')}
      <Kbd>{key}</Kbd>
    </Fragment>
  ))
}
