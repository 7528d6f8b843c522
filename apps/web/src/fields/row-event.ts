import type { Field } from '@jiaowu/api/entity/config'
import { linkTypes } from '@jiaowu/api/entity/enums'
import type { Row } from '@jiaowu/api/entity/values'
import { createContext, useContext } from 'react'

/**
 * Action of a value whose field links to an event: runs the entity's button with this code
 * (docs/spec/2-student-service-and-designer.md §3). Null: the button is not available here or for
 * this row.
 */
type RowEvents = (code: string, row: Row) => (() => void) | null
const noEvents: RowEvents = () => null
const context = createContext<RowEvents>(noEvents)
export const RowEventsProvider = context.Provider
export function useRowEvent({ linkType, linkUrl }: Field, row: Row): (() => void) | null {
  const eventOf = useContext(context)
  return linkType === linkTypes.event && linkUrl !== null ? eventOf(linkUrl, row) : null
}
