import { Menu as MenuIcon } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { IconButton } from '../../ui/Button.tsx'

const loadSheet = () => import('./MobileNavSheet.tsx')
const MobileNavSheet = lazy(async () => ({ default: (await loadSheet()).MobileNavSheet }))

/** The button that opens the navigation where there is no room for the sidebar. */
export function MobileNav() {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const [wanted, setWanted] = useState(false)
  return (
    <>
      <IconButton
        ref={button}
        aria-label="Open menu"
        aria-haspopup="dialog"
        aria-expanded={open}
        className="lg:hidden"
        onPointerEnter={() => void loadSheet()}
        onFocus={() => void loadSheet()}
        onClick={() => {
          setWanted(true)
          setOpen(true)
        }}
      >
        <MenuIcon aria-hidden />
      </IconButton>
      {wanted && (
        <Suspense>
          <MobileNavSheet open={open} onOpenChange={setOpen} opener={button} />
        </Suspense>
      )}
    </>
  )
}
