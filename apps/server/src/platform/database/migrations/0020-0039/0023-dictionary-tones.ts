import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'

/**
 * Colours of dictionary items (`itemTones` of packages/api). The states of shipped dictionaries get
 * theirs where no colour is chosen.
 */
export const dictionaryTonesMigration: Migration = {
  name: '0023-dictionary-tones',
  up: (db) =>
    run(db, [
      `alter table sys.dict_item add column tone text
         check (tone in ('green', 'blue', 'orange', 'red', 'grey'))`,
      `update sys.dict_item set tone = case
         when (dict_code, item_code) in (('studentStatus', '1'), ('orderState', 'PAID'),
           ('orderState', 'FREE'), ('auditResult', 'ok')) then 'green'
         when (dict_code, item_code) in (('studentStatus', '2'), ('orderState', 'PENDING'),
           ('orderState', 'REFUND_DUE'), ('orderState', 'REFUNDING')) then 'orange'
         when (dict_code, item_code) in (('studentStatus', '3'), ('orderState', 'NEW'),
           ('orderState', 'CREATING')) then 'blue'
         when (dict_code, item_code) in (('studentStatus', '4'), ('orderState', 'FAILED')) then 'red'
         when (dict_code, item_code) in (('orderState', 'CLOSED'), ('orderState', 'CLOSING'),
           ('orderState', 'REFUNDED')) then 'grey'
       end`,
    ]),
}
