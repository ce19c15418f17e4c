import { part } from "../../core/app.ts";
import { createNotifications, type Notifications } from "./create-notifications.ts";

/** The notifications of an App. */
export const notifications = part<Notifications>("notifications", (app) => createNotifications(app));
