import { type ReactNode, type Ref, useId } from 'react'
import { useCurrentUser } from '../../shell/current-user.ts'

type SecurityPartProps = {
  title: string
  badge?: ReactNode
  description: ReactNode
  /** Gets the focus if the focused element is gone. */
  headingRef?: Ref<HTMLHeadingElement>
  children: ReactNode
}

export function SecurityPart({ title, badge, description, headingRef, children }: SecurityPartProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className="flex flex-wrap items-center gap-2">
        <h3 ref={headingRef} id={id} tabIndex={-1} className="font-semibold outline-none">
          {title}
        </h3>
        {badge}
      </div>
      <p className="mt-1 max-w-[70ch] text-muted">{description}</p>
      <div className="mt-4">{children}</div>
    </section>
  )
}

/** Tells password managers which account a form is for. */
export function HiddenUsername() {
  const { username } = useCurrentUser()
  return <input hidden readOnly type="text" name="username" autoComplete="username" value={username} />
}
