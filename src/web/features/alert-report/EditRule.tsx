import { SlidersHorizontal } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import { paths } from '../../paths.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { useSelectProperty } from '../../shell/properties.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'

/** Opens the rule among those of its property, which becomes the selected one if it is not: rules are shown of that alone. */
export function EditRule({ rule, property }: { rule: string; property: string }) {
  const { selectedProperty } = useCurrentUser()
  const navigate = useNavigate()
  const selecting = useSelectProperty()
  const address = `${paths.alertSettings}?${new URLSearchParams({ rule })}`
  const content = (
    <>
      <SlidersHorizontal aria-hidden className="text-muted" />
      Edit rule
    </>
  )
  if (property === selectedProperty) {
    return (
      <Link to={address} className={buttonClass('secondary')}>
        {content}
      </Link>
    )
  }
  return (
    <Button disabled={selecting.isPending} onClick={() => selecting.mutate(property, { onSuccess: () => void navigate(address) })}>
      {content}
    </Button>
  )
}
