import { Search } from 'lucide-react'
import { commandKey, shellKeys } from '../../lib/hooks/shortcut-keys.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Input } from '../../ui/form/Input.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { palettePlaceholder, useShellDialogs } from '../frame/shell-dialogs.ts'
import { loadPalette } from '../frame/ShellDialogs.tsx'

const keyShortcuts = `Control+${shellKeys.palette.toUpperCase()} Meta+${shellKeys.palette.toUpperCase()} ${shellKeys.search}`
const prepare = () => void loadPalette()

/** Opens the palette (OPEN-POINTS 1), which continues with what is typed here. A button if there is no room for a field. */
export function HeaderSearch() {
  const { open, show, text, setText } = useShellDialogs()
  const opened = open === 'palette'

  function type(typed: string) {
    if (opened) setText(typed)
    // The key that opens search isn't part of the search text.
    else show('palette', typed === shellKeys.search ? '' : typed)
  }

  return (
    <>
      <div className="relative hidden w-76 shrink-0 xl:block 2xl:w-96">
        <Search aria-hidden className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted" />
        <Input
          type="search"
          aria-label="Search"
          aria-haspopup="dialog"
          aria-keyshortcuts={keyShortcuts}
          placeholder={palettePlaceholder}
          autoComplete="off"
          spellCheck={false}
          className="cursor-pointer truncate pr-1! pl-8.5! 2xl:pr-16!"
          value={opened ? text : ''}
          onPointerEnter={prepare}
          onFocus={prepare}
          onClick={() => show('palette')}
          onChange={(event) => type(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' || event.key === 'ArrowDown') show('palette')
          }}
        />
        <span aria-hidden className="pointer-events-none absolute top-1/2 right-2 hidden -translate-y-1/2 gap-1 2xl:flex">
          <Kbd>{commandKey()}</Kbd>
          <Kbd>{shellKeys.palette.toUpperCase()}</Kbd>
        </span>
      </div>
      <IconButton
        aria-label="Search"
        aria-haspopup="dialog"
        aria-keyshortcuts={keyShortcuts}
        className="xl:hidden"
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => show('palette')}
      >
        <Search aria-hidden />
      </IconButton>
    </>
  )
}
