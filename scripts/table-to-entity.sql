-- A table as a person makes it by hand: business columns with comments, and what every business table has. For scripts/table-to-entity.ts:
--   npm run sql -- scripts/table-to-entity.sql      (while no server runs on the same data)
create table if not exists biz.book_loan (
  id bigint primary key,
  tenant_id bigint not null,
  loan_no varchar(32),
  title varchar(120) not null,
  borrower varchar(40),
  price numeric(8,2),
  lent_on date,
  remarks text,
  version integer not null default 1,
  create_user bigint,
  create_time timestamptz not null default now(),
  update_user bigint,
  update_time timestamptz not null default now(),
  deleted_at timestamptz
);
comment on table biz.book_loan is '图书借阅';
comment on column biz.book_loan.loan_no is '借阅单号';
comment on column biz.book_loan.title is '书名';
comment on column biz.book_loan.borrower is '借阅人';
comment on column biz.book_loan.price is '定价';
comment on column biz.book_loan.lent_on is '借出日期';
comment on column biz.book_loan.remarks is '备注';
