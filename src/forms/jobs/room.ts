/** Warns the owner well before the disk is full. */
import type { Logger } from 'pino'
import { formatNumber } from '../../text/wording.ts'
import type { Store } from '../store/store.ts'
import type { Alarm } from './alarm.ts'

const EVERY = 10 * 60_000

const MEGABYTE = 1_000_000

/** In bytes. One address that sends as much as the limits allow needs nine hours for it. */
const LEAST = 1_000 * MEGABYTE

/**
 * Looks now, and then every ten minutes. To delete anything, SQLite writes its file anew, beside the
 * old one and with a journal: there should be room for two more.
 */
export function startRoomWatch(store: Pick<Store, 'room'>, log: Logger, alarm?: Alarm): void {
  const look = async () => {
    const room = await store.room().catch(() => undefined)
    if (!room || room.free >= Math.max(LEAST, 2 * room.used)) return
    const [free, used] = [room.free, room.used].map((bytes) =>
      formatNumber(Math.round(bytes / MEGABYTE)),
    )
    log.warn(room, 'little room on the disk')
    await alarm?.('littleRoom', `${free} MB are free; the store has ${used} MB.`)
  }
  look()
  setInterval(look, EVERY).unref()
}
