import { expect, onTestFinished, test } from 'vitest'
import { startMortalDelivery } from '../../../test/support/mortal-delivery.ts'

// kill -9 of the server between sending a message and marking it as sent; the full tests have the moment before it is sent as well.

test('between send and mark: it may come twice, and is never marked without having been sent', { tags: ['full'] }, async () => {
  const delivery = await startMortalDelivery()
  onTestFinished(() => delivery.close())
  // The message arrives; the answer to it does not, before the server is gone.
  await delivery.workspace.fail({ hang: true, executed: true })
  await delivery.commit()
  await delivery.look()
  await delivery.workspace.message()
  await delivery.kill()
  await delivery.startAgain()
  await delivery.look()
  await delivery.allSent()
  expect(await delivery.workspace.messages()).toHaveLength(2)
  // Nothing was noted of the attempt that was cut off: the one that is counted is that of the server that came back.
  expect(await delivery.sql('SELECT attempts FROM notifications')).toEqual([{ attempts: 1 }])
})
