import { expect, test, vi } from 'vitest'
import { toast, toastStore } from './toast.ts'

test('a new message replaces the previous one', () => {
  const listener = vi.fn<() => void>()
  const stop = toastStore.subscribe(listener)
  toast.success('Disconnected')
  const first = toastStore.read()
  expect(first).toMatchObject({ tone: 'success', title: 'Disconnected', description: null })
  toast.error('Error', 'Failed')
  expect(toastStore.read()).toMatchObject({ tone: 'error', title: 'Error', description: 'Failed' })

  // The first one's timer must not dismiss the second.
  if (first !== null) toast.dismiss(first.id)
  expect(toastStore.read()).toMatchObject({ title: 'Error' })
  toast.dismiss(toastStore.read()?.id ?? 0)
  expect(toastStore.read()).toBeNull()
  expect(listener).toHaveBeenCalledTimes(3)
  stop()
})
