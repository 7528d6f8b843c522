import type { MachineWords, Words } from './machine-words.ts'

/** The stages of an import, whichever call answers them. */
const stages: Readonly<Record<string, Words>> = {
  good: ['检查完，可以写入', 'the check is done; rows can be written'],
  done: ['全部写入', 'all rows are written'],
  broken: ['检查时失败', 'it failed while checking'],
  failed: ['写入时失败', 'it failed while writing'],
  checking: ['正在检查', 'rows are checked'],
  writing: ['正在写入', 'rows are written'],
  paused: ['写入中断，可继续', 'the writing was interrupted and can go on'],
  pausedEarly: ['检查中断，可继续', 'the check was interrupted and can go on'],
  stubborn: ['正在写入，已不能取消', 'rows are written; it cannot be cancelled any more'],
  stubbornCheck: ['正在检查，已不能取消', 'rows are checked; it cannot be cancelled any more'],
  stuck: ['写入中断，不能继续', 'the writing was interrupted and cannot go on'],
  unmapped: ['有必填的列没有对应', 'a column that is needed stands for nothing'],
  rostered: ['要确定列的对应', 'the columns must be settled'],
  wrong: ['检查完，有错误的行', 'the check is done; some rows are wrong'],
  looked: ['只检查，不写入：完成', 'only checked, nothing written: done'],
  nothingNew: ['检查完，没有要写入的', 'the check is done; there is nothing to write'],
  mendable: ['检查完，有可改正的值', 'the check is done; some values can be corrected'],
  book: ['检查完，文件有几张工作表', 'the check is done; the file has several sheets'],
  text: [
    '检查完，文件是文本，编码是猜的',
    'the check is done; the file is text in a guessed encoding',
  ],
  unreadable: ['文件按此编码读不出来', 'the file cannot be read in this encoding'],
  skipping: ['检查完，错误的行会跳过', 'the check is done; wrong rows are skipped'],
  own: ['检查完，是自己发起的', 'the check is done; it is one’s own'],
}

export const transferEndings: NonNullable<MachineWords['endings']> = {
  ...Object.fromEntries(
    Object.entries(stages).flatMap(([name, words]) =>
      ['readJob', 'resumeJob', 'upload'].map((call) => [`${call}.${name}`, words]),
    ),
  ),
  'recall.few': ['成功，一个以前的导入', 'it succeeds: one earlier import'],
  'recall.two': ['成功，两页以前的导入', 'it succeeds: two pages of earlier imports'],
  'cancelJob.cancelledLate': ['已取消，部分行已写入', 'it is cancelled; some rows are written'],
  'loadRows.many': ['成功', 'it succeeds'],
  'exportSheet.saved': ['成功，{rows} 行', 'it succeeds: {rows} rows'],
}
