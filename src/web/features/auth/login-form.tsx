import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { loginForm, type LoginForm as Values } from '../../../contract/account.ts'
import { demoLogin } from '../../../contract/demo.ts'
import { refusalText } from '../../api/client.ts'
import { login, showUser } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { toast } from '../../ui/overlay/toast.ts'

/** Once somebody is logged in, the page around this form sends them on. */
export function LoginForm({ demo, onCodeAsked }: { demo: boolean; onCodeAsked: () => void }) {
  const client = useQueryClient()
  const form = useForm<Values>({ resolver: zodResolver(loginForm), defaultValues: { username: '', password: '' } })
  const { errors } = form.formState
  const submit = useMutation({
    mutationFn: login,
    onSuccess: async (answer) => {
      if (answer !== null && 'twoFactor' in answer) onCodeAsked()
      else await showUser(client, answer?.user ?? null)
    },
    onError: (error) => toast.error('Login Failed', refusalText(error, 'Invalid username or password')),
  })

  function fillInDemo() {
    // Not reset(), which forgets the fields for a moment, so that none could be focused.
    form.clearErrors()
    form.setValue('username', demoLogin.username)
    form.setValue('password', demoLogin.password)
    form.setFocus('username')
  }

  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.handleSubmit((values) => submit.mutate(values))}>
      {demo && (
        <div className="flex flex-wrap items-center justify-between gap-2 rounded-control bg-brand-soft p-3">
          <p>
            Demo: <code>{demoLogin.username}</code> / <code>{demoLogin.password}</code>
          </p>
          <Button onClick={fillInDemo}>Fill in</Button>
        </div>
      )}
      <Field
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.username?.message}
        {...form.register('username')}
      />
      <Field
        label="Password"
        type="password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...form.register('password')}
      />
      <Button type="submit" variant="primary" className="w-full" disabled={submit.isPending}>
        {submit.isPending ? 'Logging in...' : 'Login'}
      </Button>
      <Link
        to={paths.forgotPassword}
        className="-my-2 inline-flex min-h-10 items-center self-center rounded-control px-2 font-medium text-brand hover:underline"
      >
        Forgot password?
      </Link>
    </form>
  )
}
