import { type Field, linkTypes, type Row } from '@jiaowu/api'
import { createContext, useContext } from 'react'

/** What pressing a value does where a field's link is an event (docs/spec/2-student-service-and-designer.md §3): a button of the entity, by its code. Null: not here, or not for this row. */
type RowEvents = (code: string, row: Row) => (() => void) | null
const nowhere: RowEvents = () => null
const context = createContext<RowEvents>(nowhere)
export const RowEventsProvider = context.Provider
export function useRowEvent({ linkType, linkUrl }: Field, row: Row): (() => void) | null {
  const eventOf = useContext(context)
  return linkType === linkTypes.event && linkUrl !== null ? eventOf(linkUrl, row) : null
}
