-- The role of an accountant outside the shop: who has it sees the months of the books and their files, and changes nothing.
alter table operators.member drop constraint member_roles_check,
	add constraint member_roles_check check (roles <@ array['serve', 'refund', 'privacy', 'accounts', 'months', 'settings']);
alter table operators.invitation drop constraint invitation_roles_check,
	add constraint invitation_roles_check check (roles <@ array['serve', 'refund', 'privacy', 'accounts', 'months', 'settings']);
