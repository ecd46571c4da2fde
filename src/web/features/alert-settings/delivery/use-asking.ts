import { useMutation } from '@tanstack/react-query'
import { failureText } from '../../../api/client.ts'
import { showAtField } from '../../../api/show-at-field.ts'
import { toast } from '../../../ui/overlay/toast.ts'
import type { DestinationForm } from './destination-form.ts'

type Asking<Input, Answer> = {
  form: DestinationForm
  call: (input: Input) => Promise<Answer>
  done: (answer: Answer) => void | Promise<void>
  /** The message for a failure that isn't about a field. */
  failed: { title: string; text: string }
}

/** Sends the server a request about destinations. */
export function useAsking<Input, Answer>({ form, call, done, failed }: Asking<Input, Answer>) {
  const { mutateAsync, isPending } = useMutation({
    mutationFn: call,
    onSuccess: done,
    onError: (error) => {
      if (!showAtField(form, error)) toast.error(failed.title, failureText(error, failed.text))
    },
  })
  return {
    /** Returns whether it succeeded; if not, the reason has been shown. */
    ask: (input: Input): Promise<boolean> =>
      mutateAsync(input).then(
        () => true,
        () => false,
      ),
    isPending,
  }
}
