-- When both factors of a session were given. Null after the password alone, and for sessions from before: they sign in once more.
alter table operators.session add column proved_at timestamptz;

-- An authenticator whose first code was accepted is deleted, never replaced: one that was prepared at the same time changes nothing.
create function operators.keep_verified_secret() returns trigger language plpgsql as $$
begin
	if old.verified and new.secret <> old.secret then return null; end if;
	return new;
end $$;
create trigger verified_secret_stays before update on operators.two_factor for each row execute function operators.keep_verified_secret();
