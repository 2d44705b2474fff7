import { Empty } from "../ui";
export const Soon = () => <Empty title="Not built yet">The command line shows it: omoide --help</Empty>;
