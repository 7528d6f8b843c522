// Cells as people type them, each with what the import should make of it.
import { csv, type Head, formatCsvLine, wire } from './parts.ts'

/** A cell as a person types it: the value it stands for, or the rule that it breaks. */
export interface DirtyCell {
  readonly column: Head
  readonly cell: string
  readonly value?: string
  readonly wrong?: string
}

export const dirtyCells: readonly DirtyCell[] = [
  { column: '学号', cell: '２０９９０１００００', value: '2099010000' },
  { column: '学号', cell: '="0123"', value: '0123' },
  { column: '学号', cell: "'0124", value: '0124' },
  { column: '学号', cell: '\u200bD001\ufeff', value: 'D001' },
  { column: '姓名', cell: '\u00a0张三 ', value: '张三' },
  { column: '姓名', cell: '欧阳·娜娜', value: '欧阳·娜娜' },
  { column: '身份证号', cell: '110105 19491231 002x', value: wire.idCard },
  { column: '身份证号', cell: '１１０１０５１９５０１２３１００２１', value: '110105195012310021' },
  { column: '身份证号', cell: '1.10105E+17', wrong: 'precision' },
  { column: '手机号', cell: '138 0000 0001', value: wire.mobile },
  { column: '手机号', cell: '138-0000-0001', value: wire.mobile },
  { column: '手机号', cell: '+86 13800000001', value: wire.mobile },
  { column: '手机号', cell: '13800000001.0', value: wire.mobile },
  { column: '身高', cell: '１７０．５', value: '170.5' },
  { column: '身高', cell: '170.5cm', value: '170.5' },
  { column: '身高', cell: '1,170.5', value: '1170.5' },
  { column: '身高', cell: '85 %', value: '85' },
  { column: '身高', cell: '高', wrong: 'value' },
  { column: '出生日期', cell: '2004/9/1', value: wire.birthDate },
  { column: '出生日期', cell: '2004.9.1', value: wire.birthDate },
  { column: '出生日期', cell: '20040901', value: wire.birthDate },
  { column: '出生日期', cell: '2004年9月1日', value: wire.birthDate },
  { column: '出生日期', cell: '二〇〇四年九月一日', value: wire.birthDate },
  { column: '出生日期', cell: '民国93年9月1日', value: wire.birthDate },
  { column: '出生日期', cell: '1 Sep 2004', value: wire.birthDate },
  { column: '出生日期', cell: '31/12/2004', value: '2004-12-31' },
  { column: '出生日期', cell: '38231', value: wire.birthDate },
  { column: '出生日期', cell: '9/1/2004', wrong: 'value' },
  { column: '出生日期', cell: '2004-02-30', wrong: 'value' },
  { column: '是否在校', cell: '√', value: '1' },
  { column: '是否在校', cell: '×', value: '0' },
]

/** One row for each cell, in their order. */
export function fileOfCells(): File {
  return csv(
    ...dirtyCells.map(({ column, cell }, i) =>
      formatCsvLine({ 学号: `C${i}`, 身份证号: '', [column]: cell }),
    ),
  )
}
export const attrNameOf: Readonly<Partial<Record<Head, string>>> = {
  学号: 'studentNo',
  姓名: 'name',
  身份证号: 'idCard',
  手机号: 'mobile',
  身高: 'height',
  出生日期: 'birthDate',
  是否在校: 'onCampus',
}
