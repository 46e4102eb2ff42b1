// Generated from docs/openapi.json by npm run openapi. Do not edit.
export interface paths {
  "/places/outlines/": {
    /** GeoJSON of published places in a box: up to 60 with outlines, up to 300 with boxes, else groups with counts */
    get: operations["getPlaceOutlines"];
  };
  "/api/v1/openapi.json": {
    /** This API as an OpenAPI 3.1 document */
    get: operations["getOpenApi"];
  };
  "/api/health": {
    /**
     * Returns the state of each part of the service; 503 if a required part fails
     * @description Responds within a second, whatever the state of the parts. A superuser with a bearer token also gets details: versions, free space, reasons. All other callers, also those with an invalid token, get only the states. While the service closes, the status is 503.
     */
    get: operations["getHealth"];
  };
  "/api/v1/auth/login/": {
    /**
     * Signs in and returns a bearer token, a refresh token and the user
     * @description Failed attempts are limited per name and per IP address: beyond a limit the response is 429. If too many sign-ins run at the same time, it is 503. Both have Retry-After.
     */
    post: operations["login"];
  };
  "/api/v1/auth/token/refresh/": {
    /**
     * Exchanges a refresh token for a new pair
     * @description A refresh token works once. Using it again revokes every token of its session.
     */
    post: operations["refreshToken"];
  };
  "/api/v1/auth/logout/": {
    /** Signs out: revokes the session of a refresh token */
    post: operations["logout"];
  };
  "/api/v1/users/change_password/": {
    /**
     * Changes the caller's own password and ends all sessions, also the session of the request
     * @description Sign in again afterwards. An account with a password that the installer or an operator set can do nothing else until the password is changed. Wrong current passwords count as failed sign-ins.
     */
    post: operations["changePassword"];
  };
  "/api/v1/auth/register/": {
    /**
     * Creates an account for the caller, who signs in with it afterwards
     * @description A new user can create API keys and read public data, and can compute after a superuser allows it. The response is 403 if only the operator creates accounts, and 429 with Retry-After after too many requests.
     */
    post: operations["register"];
  };
  "/api/v1/auth/register/available_organizations/": {
    /**
     * Lists the organisations that a new user can choose
     * @description At most 1,000 organisations that superusers created or accepted. A new user can also name another one.
     */
    get: operations["listOrganizations"];
  };
  "/api/v1/auth/forgot-password/": {
    /**
     * E-mails a link for a new password to the address of an account
     * @description The response is the same if the account does not exist or has no e-mail address. The link can be used once, within three days. If the service sends no mail, the response is 403; ask the operator to set a new password.
     */
    post: operations["forgotPassword"];
  };
  "/api/v1/users/{id}/reset_password/": {
    /**
     * Sets a user's password and ends the user's sessions and API keys (superusers only)
     * @description The passwords of superusers cannot be set in this way, because a stolen token of a superuser could then take over such an account. Change your own password with the current one (/api/v1/users/change_password/); a superuser who forgot the password requests a link, or the operator sets a new one by command.
     */
    post: operations["resetPassword"];
  };
  "/api/v1/users/": {
    /** Lists users: superusers get all users, and the administrator of an organisation gets its users */
    get: operations["listUsers"];
    /** Creates an account for another person, without the rights of a superuser (superusers only) */
    post: operations["createUser"];
  };
  "/api/v1/users/{id}/": {
    /** Returns a user: the caller, a user of the organisation that the caller administers, or, for superusers, any user */
    get: operations["getUser"];
    /**
     * Changes the details of a user, for dashboards that send PUT
     * @description Fields that are absent stay unchanged, with PATCH and PUT. Users change their own account. Superusers change any account, and also set who may compute and who is active. A changed `username` or a `profile_picture` is an error. Other fields that this caller cannot change are ignored, because dashboards send the whole user back.
     */
    put: operations["replaceUser"];
    /**
     * Changes the details of a user
     * @description Fields that are absent stay unchanged, with PATCH and PUT. Users change their own account. Superusers change any account, and also set who may compute and who is active. A changed `username` or a `profile_picture` is an error. Other fields that this caller cannot change are ignored, because dashboards send the whole user back.
     */
    patch: operations["changeUser"];
  };
  "/api/v1/organizations/": {
    /** Lists all organisations, including those that users named when they registered (superusers only) */
    get: operations["listAllOrganizations"];
  };
  "/api/v1/organizations/{id}/": {
    /** Removes an organisation (superusers only); its users and projects then have none */
    delete: operations["removeOrganization"];
    /** Lists an organisation on the registration page, or stops listing it (superusers only) */
    patch: operations["changeOrganization"];
  };
  "/api/v1/users/{id}/set_organization/": {
    /**
     * Sets the organisation of a user (superusers, and members of the organisation that the user wants to join)
     * @description A user who registers can name an organisation. With this request, a superuser or a member of that organisation accepts the user. If the user was the administrator of another organisation, the user loses that role; a superuser can add the user to the group Organization Admin again.
     */
    put: operations["setOrganization"];
  };
  "/api/v1/users/{id}/set_group/": {
    /** Adds a user to a group (superusers only) */
    put: operations["setGroup"];
  };
  "/api/v1/users/{id}/remove_group/": {
    /** Removes a user from a group (superusers only) */
    put: operations["removeGroup"];
  };
  "/api/v1/groups/": {
    /** Lists groups and the rights of their members */
    get: operations["listGroups"];
  };
  "/api/v1/groups/{id}/": {
    /** Returns a group */
    get: operations["getGroup"];
  };
  "/api/v1/users/my_projects/": {
    /** Lists the caller's projects; for the administrator of an organisation, all of its projects */
    get: operations["myProjects"];
  };
  "/api/v1/projects/": {
    /** Lists projects: all for superusers, the caller's own for other users */
    get: operations["listProjects"];
    /** Creates a project (superusers only) */
    post: operations["createProject"];
  };
  "/api/v1/projects/{project_pk}/users/": {
    /** Lists the members of a project, for its members and for superusers */
    get: operations["listProjectUsers"];
    /** Adds a user to a project, or changes the group of a member (superusers only) */
    post: operations["setProjectUser"];
  };
  "/api/v1/projects/{project_pk}/users/{id}/": {
    /** Removes a member from a project (superusers only) */
    delete: operations["removeProjectUser"];
  };
  "/api/v1/eoaccounts/": {
    /**
     * Lists Earth-observation accounts that a compute request can name
     * @description E-mails are shown only to users who may compute; for others they are null.
     */
    get: operations["listEoAccounts"];
    /** Adds an Earth-observation account (superusers only) */
    post: operations["createEoAccount"];
  };
  "/api/v1/geeaccounts/": {
    /**
     * Lists Earth-observation accounts grouped by e-mail, for existing clients
     * @description Users who may not compute do not see e-mail addresses: all accounts that are visible to them are under the key `no_account_email`.
     */
    get: operations["groupEoAccounts"];
  };
  "/api/v1/eoaccounts/{id}/": {
    /** Changes an Earth-observation account (superusers only) */
    patch: operations["changeEoAccount"];
  };
  "/api/v1/generate_api_key/": {
    /**
     * Creates an API key for the caller, or deactivates one
     * @description The response shows a new key once. Programs send it in the header `X-API-Key`. A deactivated key never works again. A superuser can also deactivate the keys of other users. An account has at most 100 active keys. An empty body counts as {}. JSON and forms are accepted with any content type. A body that cannot be parsed is refused and creates no key, because the caller may have wanted to deactivate one.
     */
    post: operations["changeApiKeys"];
  };
  "/api/v1/get_user_api_keys/": {
    /** Lists the caller's active API keys, newest first, with masked secrets */
    get: operations["listApiKeys"];
  };
  "/api/v1/lulc_for_tehsil/": {
    /**
     * Computes land use and land cover of a tehsil, one raster per hydrological year, with class areas per micro-watershed.
     * @description If an identical request is in progress, the request joins the run of that request. If a stored result was computed from the current inputs, it is returned immediately (200, `reused`); `overwrite=true` computes it again. A layer of several years, its tables and its series have only the years of the newest request, so request all years together. With `wait`, `message` names the years that were replaced. If a required layer is not published, the request is refused with 409, and the error names the request that computes that layer; `with_dependencies=true` computes it first, and the run waits. With an `Idempotency-Key` header, the same key and body return the run of the first response as long as it is stored; the same key with another body is refused with 422. If an account has too many open responses, `wait` is ignored, and the response is 202. `scope=district` or `scope=state` computes all tehsils of the named district or state: one run starts a run for each tehsil. The response does not wait for their end. Below the address of the run, GET `tehsils/` returns its tehsils, their failures and the time until the end. POST `pause/`, `resume/` and `cancel/` control the run, and POST `retry/` computes failed tehsils again.
     */
    post: operations["compute_lulc_for_tehsil"];
  };
  "/api/v1/lulc_for_district/": {
    /**
     * Computes land use and land cover of a tehsil, one raster per hydrological year, with class areas per micro-watershed.
     * @description Same as /api/v1/lulc_for_tehsil/ with `scope=district`: computes all tehsils of the district.
     */
    post: operations["compute_lulc_for_district"];
  };
  "/api/v1/lulc_for_state/": {
    /**
     * Computes land use and land cover of a tehsil, one raster per hydrological year, with class areas per micro-watershed.
     * @description Same as /api/v1/lulc_for_tehsil/ with `scope=state`: computes all tehsils of the state.
     */
    post: operations["compute_lulc_for_state"];
  };
  "/api/v1/lulc_v3/": {
    /**
     * Computes land use and land cover of a tehsil, one raster per hydrological year, with class areas per micro-watershed.
     * @description Same as /api/v1/lulc_for_tehsil/.
     */
    post: operations["compute_lulc_v3"];
  };
  "/api/v1/generate_block_layer/": {
    /**
     * Publishes the villages of a tehsil as a layer, or the tehsil itself if no village is known.
     * @description If an identical request is in progress, the request joins the run of that request. If a stored result was computed from the current inputs, it is returned immediately (200, `reused`); `overwrite=true` computes it again. A layer of several years, its tables and its series have only the years of the newest request, so request all years together. With `wait`, `message` names the years that were replaced. If a required layer is not published, the request is refused with 409, and the error names the request that computes that layer; `with_dependencies=true` computes it first, and the run waits. With an `Idempotency-Key` header, the same key and body return the run of the first response as long as it is stored; the same key with another body is refused with 422. If an account has too many open responses, `wait` is ignored, and the response is 202. `scope=district` or `scope=state` computes all tehsils of the named district or state: one run starts a run for each tehsil. The response does not wait for their end. Below the address of the run, GET `tehsils/` returns its tehsils, their failures and the time until the end. POST `pause/`, `resume/` and `cancel/` control the run, and POST `retry/` computes failed tehsils again.
     */
    post: operations["compute_generate_block_layer"];
  };
  "/api/v1/generate_mws_layer/": {
    /**
     * Publishes the micro-watersheds of a tehsil as a layer.
     * @description If an identical request is in progress, the request joins the run of that request. If a stored result was computed from the current inputs, it is returned immediately (200, `reused`); `overwrite=true` computes it again. A layer of several years, its tables and its series have only the years of the newest request, so request all years together. With `wait`, `message` names the years that were replaced. If a required layer is not published, the request is refused with 409, and the error names the request that computes that layer; `with_dependencies=true` computes it first, and the run waits. With an `Idempotency-Key` header, the same key and body return the run of the first response as long as it is stored; the same key with another body is refused with 422. If an account has too many open responses, `wait` is ignored, and the response is 202. `scope=district` or `scope=state` computes all tehsils of the named district or state: one run starts a run for each tehsil. The response does not wait for their end. Below the address of the run, GET `tehsils/` returns its tehsils, their failures and the time until the end. POST `pause/`, `resume/` and `cancel/` control the run, and POST `retry/` computes failed tehsils again.
     */
    post: operations["compute_generate_mws_layer"];
  };
  "/api/v1/generate_mws_centroid/": {
    /**
     * Publishes the centre of area of each micro-watershed of a tehsil.
     * @description If an identical request is in progress, the request joins the run of that request. If a stored result was computed from the current inputs, it is returned immediately (200, `reused`); `overwrite=true` computes it again. A layer of several years, its tables and its series have only the years of the newest request, so request all years together. With `wait`, `message` names the years that were replaced. If a required layer is not published, the request is refused with 409, and the error names the request that computes that layer; `with_dependencies=true` computes it first, and the run waits. With an `Idempotency-Key` header, the same key and body return the run of the first response as long as it is stored; the same key with another body is refused with 422. If an account has too many open responses, `wait` is ignored, and the response is 202. `scope=district` or `scope=state` computes all tehsils of the named district or state: one run starts a run for each tehsil. The response does not wait for their end. Below the address of the run, GET `tehsils/` returns its tehsils, their failures and the time until the end. POST `pause/`, `resume/` and `cancel/` control the run, and POST `retry/` computes failed tehsils again.
     */
    post: operations["compute_generate_mws_centroid"];
  };
  "/api/v1/lulc_vector/": {
    /**
     * Computes the area of each land-cover class per micro-watershed from the published yearly rasters.
     * @description If an identical request is in progress, the request joins the run of that request. If a stored result was computed from the current inputs, it is returned immediately (200, `reused`); `overwrite=true` computes it again. A layer of several years, its tables and its series have only the years of the newest request, so request all years together. With `wait`, `message` names the years that were replaced. If a required layer is not published, the request is refused with 409, and the error names the request that computes that layer; `with_dependencies=true` computes it first, and the run waits. With an `Idempotency-Key` header, the same key and body return the run of the first response as long as it is stored; the same key with another body is refused with 422. If an account has too many open responses, `wait` is ignored, and the response is 202. `scope=district` or `scope=state` computes all tehsils of the named district or state: one run starts a run for each tehsil. The response does not wait for their end. Below the address of the run, GET `tehsils/` returns its tehsils, their failures and the time until the end. POST `pause/`, `resume/` and `cancel/` control the run, and POST `retry/` computes failed tehsils again.
     */
    post: operations["compute_lulc_vector"];
  };
  "/api/v1/generate_ci_layer/": {
    /**
     * Computes the number of crops per year on land with a crop in any year, by micro-watershed.
     * @description If an identical request is in progress, the request joins the run of that request. If a stored result was computed from the current inputs, it is returned immediately (200, `reused`); `overwrite=true` computes it again. A layer of several years, its tables and its series have only the years of the newest request, so request all years together. With `wait`, `message` names the years that were replaced. If a required layer is not published, the request is refused with 409, and the error names the request that computes that layer; `with_dependencies=true` computes it first, and the run waits. With an `Idempotency-Key` header, the same key and body return the run of the first response as long as it is stored; the same key with another body is refused with 422. If an account has too many open responses, `wait` is ignored, and the response is 202. `scope=district` or `scope=state` computes all tehsils of the named district or state: one run starts a run for each tehsil. The response does not wait for their end. Below the address of the run, GET `tehsils/` returns its tehsils, their failures and the time until the end. POST `pause/`, `resume/` and `cancel/` control the run, and POST `retry/` computes failed tehsils again.
     */
    post: operations["compute_generate_ci_layer"];
  };
  "/api/v1/change_detection/": {
    /**
     * Compares the first three years of land cover (all but the last if there are fewer than four) with the later years, as five rasters of transitions.
     * @description If an identical request is in progress, the request joins the run of that request. If a stored result was computed from the current inputs, it is returned immediately (200, `reused`); `overwrite=true` computes it again. A layer of several years, its tables and its series have only the years of the newest request, so request all years together. With `wait`, `message` names the years that were replaced. If a required layer is not published, the request is refused with 409, and the error names the request that computes that layer; `with_dependencies=true` computes it first, and the run waits. With an `Idempotency-Key` header, the same key and body return the run of the first response as long as it is stored; the same key with another body is refused with 422. If an account has too many open responses, `wait` is ignored, and the response is 202. `scope=district` or `scope=state` computes all tehsils of the named district or state: one run starts a run for each tehsil. The response does not wait for their end. Below the address of the run, GET `tehsils/` returns its tehsils, their failures and the time until the end. POST `pause/`, `resume/` and `cancel/` control the run, and POST `retry/` computes failed tehsils again.
     */
    post: operations["compute_change_detection"];
  };
  "/api/v1/change_detection_vector/": {
    /**
     * Computes the area of each change of land cover per micro-watershed from the published change rasters.
     * @description If an identical request is in progress, the request joins the run of that request. If a stored result was computed from the current inputs, it is returned immediately (200, `reused`); `overwrite=true` computes it again. A layer of several years, its tables and its series have only the years of the newest request, so request all years together. With `wait`, `message` names the years that were replaced. If a required layer is not published, the request is refused with 409, and the error names the request that computes that layer; `with_dependencies=true` computes it first, and the run waits. With an `Idempotency-Key` header, the same key and body return the run of the first response as long as it is stored; the same key with another body is refused with 422. If an account has too many open responses, `wait` is ignored, and the response is 202. `scope=district` or `scope=state` computes all tehsils of the named district or state: one run starts a run for each tehsil. The response does not wait for their end. Below the address of the run, GET `tehsils/` returns its tehsils, their failures and the time until the end. POST `pause/`, `resume/` and `cancel/` control the run, and POST `retry/` computes failed tehsils again.
     */
    post: operations["compute_change_detection_vector"];
  };
  "/api/v1/generate_swb/": {
    /**
     * Computes the water bodies of a tehsil as polygons, with the share of each body that has water, by season and year.
     * @description If an identical request is in progress, the request joins the run of that request. If a stored result was computed from the current inputs, it is returned immediately (200, `reused`); `overwrite=true` computes it again. A layer of several years, its tables and its series have only the years of the newest request, so request all years together. With `wait`, `message` names the years that were replaced. If a required layer is not published, the request is refused with 409, and the error names the request that computes that layer; `with_dependencies=true` computes it first, and the run waits. With an `Idempotency-Key` header, the same key and body return the run of the first response as long as it is stored; the same key with another body is refused with 422. If an account has too many open responses, `wait` is ignored, and the response is 202. `scope=district` or `scope=state` computes all tehsils of the named district or state: one run starts a run for each tehsil. The response does not wait for their end. Below the address of the run, GET `tehsils/` returns its tehsils, their failures and the time until the end. POST `pause/`, `resume/` and `cancel/` control the run, and POST `retry/` computes failed tehsils again.
     */
    post: operations["compute_generate_swb"];
  };
  "/api/v1/crop_grid/": {
    /**
     * Computes, for each cell of a grid of about 1 km over a tehsil, the hectares with one, two and three crops in a year, from published land cover.
     * @description If an identical request is in progress, the request joins the run of that request. If a stored result was computed from the current inputs, it is returned immediately (200, `reused`); `overwrite=true` computes it again. A layer of several years, its tables and its series have only the years of the newest request, so request all years together. With `wait`, `message` names the years that were replaced. If a required layer is not published, the request is refused with 409, and the error names the request that computes that layer; `with_dependencies=true` computes it first, and the run waits. With an `Idempotency-Key` header, the same key and body return the run of the first response as long as it is stored; the same key with another body is refused with 422. If an account has too many open responses, `wait` is ignored, and the response is 202. `scope=district` or `scope=state` computes all tehsils of the named district or state: one run starts a run for each tehsil. The response does not wait for their end. Below the address of the run, GET `tehsils/` returns its tehsils, their failures and the time until the end. POST `pause/`, `resume/` and `cancel/` control the run, and POST `retry/` computes failed tehsils again.
     */
    post: operations["compute_crop_grid"];
  };
  "/api/v1/generate_ndvi_timeseries/": {
    /**
     * Computes the mean NDVI of crops, shrub and trees by micro-watershed and fortnight.
     * @description If an identical request is in progress, the request joins the run of that request. If a stored result was computed from the current inputs, it is returned immediately (200, `reused`); `overwrite=true` computes it again. A layer of several years, its tables and its series have only the years of the newest request, so request all years together. With `wait`, `message` names the years that were replaced. If a required layer is not published, the request is refused with 409, and the error names the request that computes that layer; `with_dependencies=true` computes it first, and the run waits. With an `Idempotency-Key` header, the same key and body return the run of the first response as long as it is stored; the same key with another body is refused with 422. If an account has too many open responses, `wait` is ignored, and the response is 202. `scope=district` or `scope=state` computes all tehsils of the named district or state: one run starts a run for each tehsil. The response does not wait for their end. Below the address of the run, GET `tehsils/` returns its tehsils, their failures and the time until the end. POST `pause/`, `resume/` and `cancel/` control the run, and POST `retry/` computes failed tehsils again.
     */
    post: operations["compute_generate_ndvi_timeseries"];
  };
  "/api/v1/generate_slope_percentage/": {
    /**
     * Computes the slope of the land of a tehsil in percent from a digital elevation model.
     * @description If an identical request is in progress, the request joins the run of that request. If a stored result was computed from the current inputs, it is returned immediately (200, `reused`); `overwrite=true` computes it again. A layer of several years, its tables and its series have only the years of the newest request, so request all years together. With `wait`, `message` names the years that were replaced. If a required layer is not published, the request is refused with 409, and the error names the request that computes that layer; `with_dependencies=true` computes it first, and the run waits. With an `Idempotency-Key` header, the same key and body return the run of the first response as long as it is stored; the same key with another body is refused with 422. If an account has too many open responses, `wait` is ignored, and the response is 202. `scope=district` or `scope=state` computes all tehsils of the named district or state: one run starts a run for each tehsil. The response does not wait for their end. Below the address of the run, GET `tehsils/` returns its tehsils, their failures and the time until the end. POST `pause/`, `resume/` and `cancel/` control the run, and POST `retry/` computes failed tehsils again.
     */
    post: operations["compute_generate_slope_percentage"];
  };
  "/api/v1/generate_terrain_raster/": {
    /**
     * Computes the landforms of a tehsil, eleven classes by topographic position and slope, from a digital elevation model.
     * @description If an identical request is in progress, the request joins the run of that request. If a stored result was computed from the current inputs, it is returned immediately (200, `reused`); `overwrite=true` computes it again. A layer of several years, its tables and its series have only the years of the newest request, so request all years together. With `wait`, `message` names the years that were replaced. If a required layer is not published, the request is refused with 409, and the error names the request that computes that layer; `with_dependencies=true` computes it first, and the run waits. With an `Idempotency-Key` header, the same key and body return the run of the first response as long as it is stored; the same key with another body is refused with 422. If an account has too many open responses, `wait` is ignored, and the response is 202. `scope=district` or `scope=state` computes all tehsils of the named district or state: one run starts a run for each tehsil. The response does not wait for their end. Below the address of the run, GET `tehsils/` returns its tehsils, their failures and the time until the end. POST `pause/`, `resume/` and `cancel/` control the run, and POST `retry/` computes failed tehsils again.
     */
    post: operations["compute_generate_terrain_raster"];
  };
  "/api/v1/generate_terrain_descriptor/": {
    /**
     * Computes the shares of landforms and the terrain cluster of each micro-watershed from the terrain raster, and its elevations from the digital elevation model.
     * @description If an identical request is in progress, the request joins the run of that request. If a stored result was computed from the current inputs, it is returned immediately (200, `reused`); `overwrite=true` computes it again. A layer of several years, its tables and its series have only the years of the newest request, so request all years together. With `wait`, `message` names the years that were replaced. If a required layer is not published, the request is refused with 409, and the error names the request that computes that layer; `with_dependencies=true` computes it first, and the run waits. With an `Idempotency-Key` header, the same key and body return the run of the first response as long as it is stored; the same key with another body is refused with 422. If an account has too many open responses, `wait` is ignored, and the response is 202. `scope=district` or `scope=state` computes all tehsils of the named district or state: one run starts a run for each tehsil. The response does not wait for their end. Below the address of the run, GET `tehsils/` returns its tehsils, their failures and the time until the end. POST `pause/`, `resume/` and `cancel/` control the run, and POST `retry/` computes failed tehsils again.
     */
    post: operations["compute_generate_terrain_descriptor"];
  };
  "/api/v1/generate_mws_connectivity_data/": {
    /**
     * Computes the drainage between the micro-watersheds of a tehsil from a digital elevation model.
     * @description If an identical request is in progress, the request joins the run of that request. If a stored result was computed from the current inputs, it is returned immediately (200, `reused`); `overwrite=true` computes it again. A layer of several years, its tables and its series have only the years of the newest request, so request all years together. With `wait`, `message` names the years that were replaced. If a required layer is not published, the request is refused with 409, and the error names the request that computes that layer; `with_dependencies=true` computes it first, and the run waits. With an `Idempotency-Key` header, the same key and body return the run of the first response as long as it is stored; the same key with another body is refused with 422. If an account has too many open responses, `wait` is ignored, and the response is 202. `scope=district` or `scope=state` computes all tehsils of the named district or state: one run starts a run for each tehsil. The response does not wait for their end. Below the address of the run, GET `tehsils/` returns its tehsils, their failures and the time until the end. POST `pause/`, `resume/` and `cancel/` control the run, and POST `retry/` computes failed tehsils again.
     */
    post: operations["compute_generate_mws_connectivity_data"];
  };
  "/api/v1/terrain_lulc_slope_cluster/": {
    /**
     * Computes the land cover on the slopes of each micro-watershed from the terrain raster and the published land cover of years.
     * @description If an identical request is in progress, the request joins the run of that request. If a stored result was computed from the current inputs, it is returned immediately (200, `reused`); `overwrite=true` computes it again. A layer of several years, its tables and its series have only the years of the newest request, so request all years together. With `wait`, `message` names the years that were replaced. If a required layer is not published, the request is refused with 409, and the error names the request that computes that layer; `with_dependencies=true` computes it first, and the run waits. With an `Idempotency-Key` header, the same key and body return the run of the first response as long as it is stored; the same key with another body is refused with 422. If an account has too many open responses, `wait` is ignored, and the response is 202. `scope=district` or `scope=state` computes all tehsils of the named district or state: one run starts a run for each tehsil. The response does not wait for their end. Below the address of the run, GET `tehsils/` returns its tehsils, their failures and the time until the end. POST `pause/`, `resume/` and `cancel/` control the run, and POST `retry/` computes failed tehsils again.
     */
    post: operations["compute_terrain_lulc_slope_cluster"];
  };
  "/api/v1/terrain_lulc_plain_cluster/": {
    /**
     * Computes the land cover on the plains of each micro-watershed from the terrain raster and the published land cover of years.
     * @description If an identical request is in progress, the request joins the run of that request. If a stored result was computed from the current inputs, it is returned immediately (200, `reused`); `overwrite=true` computes it again. A layer of several years, its tables and its series have only the years of the newest request, so request all years together. With `wait`, `message` names the years that were replaced. If a required layer is not published, the request is refused with 409, and the error names the request that computes that layer; `with_dependencies=true` computes it first, and the run waits. With an `Idempotency-Key` header, the same key and body return the run of the first response as long as it is stored; the same key with another body is refused with 422. If an account has too many open responses, `wait` is ignored, and the response is 202. `scope=district` or `scope=state` computes all tehsils of the named district or state: one run starts a run for each tehsil. The response does not wait for their end. Below the address of the run, GET `tehsils/` returns its tehsils, their failures and the time until the end. POST `pause/`, `resume/` and `cancel/` control the run, and POST `retry/` computes failed tehsils again.
     */
    post: operations["compute_terrain_lulc_plain_cluster"];
  };
  "/api/v1/stream_order/": {
    /**
     * Computes the Strahler orders of the streams of a tehsil from a digital elevation model, and their shares of the area of each micro-watershed.
     * @description If an identical request is in progress, the request joins the run of that request. If a stored result was computed from the current inputs, it is returned immediately (200, `reused`); `overwrite=true` computes it again. A layer of several years, its tables and its series have only the years of the newest request, so request all years together. With `wait`, `message` names the years that were replaced. If a required layer is not published, the request is refused with 409, and the error names the request that computes that layer; `with_dependencies=true` computes it first, and the run waits. With an `Idempotency-Key` header, the same key and body return the run of the first response as long as it is stored; the same key with another body is refused with 422. If an account has too many open responses, `wait` is ignored, and the response is 202. `scope=district` or `scope=state` computes all tehsils of the named district or state: one run starts a run for each tehsil. The response does not wait for their end. Below the address of the run, GET `tehsils/` returns its tehsils, their failures and the time until the end. POST `pause/`, `resume/` and `cancel/` control the run, and POST `retry/` computes failed tehsils again.
     */
    post: operations["compute_stream_order"];
  };
  "/api/v1/generate_drainage_layer/": {
    /**
     * Computes the drainage lines of a tehsil and their density in each micro-watershed from a digital elevation model.
     * @description If an identical request is in progress, the request joins the run of that request. If a stored result was computed from the current inputs, it is returned immediately (200, `reused`); `overwrite=true` computes it again. A layer of several years, its tables and its series have only the years of the newest request, so request all years together. With `wait`, `message` names the years that were replaced. If a required layer is not published, the request is refused with 409, and the error names the request that computes that layer; `with_dependencies=true` computes it first, and the run waits. With an `Idempotency-Key` header, the same key and body return the run of the first response as long as it is stored; the same key with another body is refused with 422. If an account has too many open responses, `wait` is ignored, and the response is 202. `scope=district` or `scope=state` computes all tehsils of the named district or state: one run starts a run for each tehsil. The response does not wait for their end. Below the address of the run, GET `tehsils/` returns its tehsils, their failures and the time until the end. POST `pause/`, `resume/` and `cancel/` control the run, and POST `retry/` computes failed tehsils again.
     */
    post: operations["compute_generate_drainage_layer"];
  };
  "/api/v1/generate_catchment_area_singleflow/": {
    /**
     * Computes the land that drains through each pixel of a tehsil, in hectares, from a digital elevation model: flow accumulation in one direction.
     * @description If an identical request is in progress, the request joins the run of that request. If a stored result was computed from the current inputs, it is returned immediately (200, `reused`); `overwrite=true` computes it again. A layer of several years, its tables and its series have only the years of the newest request, so request all years together. With `wait`, `message` names the years that were replaced. If a required layer is not published, the request is refused with 409, and the error names the request that computes that layer; `with_dependencies=true` computes it first, and the run waits. With an `Idempotency-Key` header, the same key and body return the run of the first response as long as it is stored; the same key with another body is refused with 422. If an account has too many open responses, `wait` is ignored, and the response is 202. `scope=district` or `scope=state` computes all tehsils of the named district or state: one run starts a run for each tehsil. The response does not wait for their end. Below the address of the run, GET `tehsils/` returns its tehsils, their failures and the time until the end. POST `pause/`, `resume/` and `cancel/` control the run, and POST `retry/` computes failed tehsils again.
     */
    post: operations["compute_generate_catchment_area_singleflow"];
  };
  "/api/v1/generate_distance_nearest_DL/": {
    /**
     * Computes the straight distance of each pixel of a tehsil to the nearest drainage line, in metres, from a digital elevation model.
     * @description If an identical request is in progress, the request joins the run of that request. If a stored result was computed from the current inputs, it is returned immediately (200, `reused`); `overwrite=true` computes it again. A layer of several years, its tables and its series have only the years of the newest request, so request all years together. With `wait`, `message` names the years that were replaced. If a required layer is not published, the request is refused with 409, and the error names the request that computes that layer; `with_dependencies=true` computes it first, and the run waits. With an `Idempotency-Key` header, the same key and body return the run of the first response as long as it is stored; the same key with another body is refused with 422. If an account has too many open responses, `wait` is ignored, and the response is 202. `scope=district` or `scope=state` computes all tehsils of the named district or state: one run starts a run for each tehsil. The response does not wait for their end. Below the address of the run, GET `tehsils/` returns its tehsils, their failures and the time until the end. POST `pause/`, `resume/` and `cancel/` control the run, and POST `retry/` computes failed tehsils again.
     */
    post: operations["compute_generate_distance_nearest_DL"];
  };
  "/api/v1/generate_natural_depression/": {
    /**
     * Computes the depth of the depressions of a tehsil below their spill level, in metres, from a digital elevation model.
     * @description If an identical request is in progress, the request joins the run of that request. If a stored result was computed from the current inputs, it is returned immediately (200, `reused`); `overwrite=true` computes it again. A layer of several years, its tables and its series have only the years of the newest request, so request all years together. With `wait`, `message` names the years that were replaced. If a required layer is not published, the request is refused with 409, and the error names the request that computes that layer; `with_dependencies=true` computes it first, and the run waits. With an `Idempotency-Key` header, the same key and body return the run of the first response as long as it is stored; the same key with another body is refused with 422. If an account has too many open responses, `wait` is ignored, and the response is 202. `scope=district` or `scope=state` computes all tehsils of the named district or state: one run starts a run for each tehsil. The response does not wait for their end. Below the address of the run, GET `tehsils/` returns its tehsils, their failures and the time until the end. POST `pause/`, `resume/` and `cancel/` control the run, and POST `retry/` computes failed tehsils again.
     */
    post: operations["compute_generate_natural_depression"];
  };
  "/api/v1/validate/": {
    /**
     * Scores a published raster layer of classes against labels, and publishes the figures as a table of its Item.
     * @description If an identical request is in progress, the request joins the run of that request. If a stored result was computed from the current inputs, it is returned immediately (200, `reused`); `overwrite=true` computes it again. A layer of several years, its tables and its series have only the years of the newest request, so request all years together. With `wait`, `message` names the years that were replaced. If a required layer is not published, the request is refused with 409, and the error names the request that computes that layer; `with_dependencies=true` computes it first, and the run waits. With an `Idempotency-Key` header, the same key and body return the run of the first response as long as it is stored; the same key with another body is refused with 422. If an account has too many open responses, `wait` is ignored, and the response is 202. `scope=district` or `scope=state` computes all tehsils of the named district or state: one run starts a run for each tehsil. The response does not wait for their end. Below the address of the run, GET `tehsils/` returns its tehsils, their failures and the time until the end. POST `pause/`, `resume/` and `cancel/` control the run, and POST `retry/` computes failed tehsils again.
     */
    post: operations["compute_validate"];
  };
  "/api/v1/generate_layer_in_order/": {
    /**
     * Starts the layers of a map, each after the layers that it needs
     * @description One run represents the whole order: it ends after the last layer, and fails with the first layer that fails. It counts as one run of the account. The response names the layers for which this service has no pipeline. If a layer depends on a layer without a pipeline, it waits instead for the layers on which that layer depends. If a layer needs layers outside of the order, these are computed first. A stored result with the current inputs is reused; `overwrite=true` computes it again.
     */
    post: operations["generateLayerInOrder"];
  };
  "/api/export-asset": {
    /**
     * Computes a region for callers that can only open an address: the parameters are in the query
     * @description The same as the POST, but without callbacks of an orchestrator, because their token would be in logs.
     */
    get: operations["exportAssetByQuery"];
    /**
     * Computes the layer of a scheme for a region and publishes it as a STAC Item
     * @description Computes a region (a lon/lat box) and a hydrological year in this service. The service never sends this work to the orchestrator, because the orchestrator may be the caller. Needs no credentials at loopback and private addresses, unless the operator has set a secret or addresses; the bearer token of an account that may compute is always accepted. Callers from other addresses without such a token or secret have a smaller maximum region. Parameters are at the top level, in `conf`, or in both, as numbers or as texts; unknown members are ignored. Without a year, the newest year with enough scenes is computed, and `note` names it. Identical calls at the same time share one run; the run continues if a caller disconnects. A new version of the asset of a region and year replaces the previous one in one step. Two regions are computed at a time, unless the operator has set another number. A limited number of further regions waits, and small regions run first. Further calls, and too many calls of one address, are refused with 429. If too many callers wait for the end of a run, a call gets 202 immediately, as with wait=false. A call with `job_id` and the valid `run_token` of a run that an orchestrator received computes that run, without these limits.
     */
    post: operations["exportAsset"];
  };
  "/api/export-status": {
    /** Returns the state of a task of export-asset, or whether an asset is published; `done` is true when the task has ended or the asset exists */
    get: operations["exportStatus"];
  };
  "/api/jobs": {
    /**
     * Gives a job to the orchestrator, which calls export-asset and posts the result back
     * @description A job has two ids. With the `run_id` of this response, clients read the state of the job. The workflow gets another `run_id` in its conf, and posts the result with it. One address may start a limited number of jobs in ten minutes.
     */
    post: operations["startJob"];
  };
  "/api/jobs/{id}": {
    /**
     * Returns the state of a job; `done` is true when the job has succeeded or failed
     * @description A job fails if its run at the orchestrator ends and no result is posted: `error` is the reason, with lines of the log.
     */
    get: operations["getJob"];
  };
  "/api/jobs/{id}/result": {
    /**
     * Stores the result of an unfinished job, once; validates its STAC Items
     * @description Only the workflow of the job calls this operation. `{id}` is the `run_id` that the workflow gets in its conf, not the `run_id` in the response of `POST /api/jobs`.
     */
    post: operations["postJobResult"];
  };
  "/api/v1/runs/": {
    /**
     * Lists the caller's runs, newest first; superusers see the runs of all users
     * @description By default, only runs that a client requested are listed. `parent` selects the runs that one run requested (its id), or all runs (`any`). The session of a browser gives access to the HTML page, but not to the JSON document.
     */
    get: operations["listRuns"];
  };
  "/api/v1/runs/{id}/": {
    /**
     * Returns the state, progress, timings, error and STAC Items of a run
     * @description The session of a browser gives access to the HTML page, but not to the JSON document.
     */
    get: operations["getRun"];
  };
  "/api/v1/runs/{id}/log/": {
    /** Returns the log of a run as plain text, or as JSON with `Accept: application/json` or `format=json` */
    get: operations["getRunLog"];
  };
  "/api/v1/runs/{id}/events/": {
    /**
     * Streams the state, progress and log of a run as Server-Sent Events until its final state
     * @description The id of an event is its number in the run. With the header `Last-Event-ID` or the parameter `last_event_id`, the stream begins after this event. If an ended run has no more events, the response is 204, which stops an EventSource. The stream also ends within seconds after the end of the session to which the token belongs.
     */
    get: operations["followRun"];
  };
  "/api/v1/runs/{id}/cancel/": {
    /** Cancels a run, and the runs that only this run needs; they end as failed with code cancelled. An ended run does not change */
    post: operations["cancelRun"];
  };
  "/api/v1/runs/{id}/tehsils/": {
    /** Returns the report of a run over a district or a state: its tehsils, their failures, and the time until the end */
    get: operations["getRunTehsils"];
  };
  "/api/v1/runs/{id}/pause/": {
    /** Pauses a run over a district or a state: tehsils that are queued or running end as usual, and no further tehsil starts */
    post: operations["pauseRun"];
  };
  "/api/v1/runs/{id}/resume/": {
    /** Continues a paused run over a district or a state */
    post: operations["resumeRun"];
  };
  "/api/v1/runs/{id}/retry/": {
    /**
     * Computes the failed tehsils of a run over a district or a state again
     * @description A run that has not ended continues with these tehsils (200). If the run has ended, a new run is started (202). The new run also has the results of the other tehsils.
     */
    post: operations["retryRun"];
  };
  "/api/v1/gee_task_status/": {
    /**
     * Returns the state of a run in the form of a task of Earth Engine, for existing dashboards
     * @description Users see their own runs, and superusers see all. The id may also be that of an export to Earth Engine; other tasks of Earth Engine are unknown (404). GET /api/v1/runs/ lists runs with more details.
     */
    post: operations["earthEngineTaskStatus"];
  };
  "/api/v1/get_gee_layer/": {
    /**
     * Lists the assets of a tehsil at Earth Engine; if exports are off, the response is 503 and names other requests for the layers
     * @description Existing dashboards send this request to fetch the layers of a tehsil from Earth Engine. If the service exports to Earth Engine, the response lists the exported layers with their assets. Otherwise the request is refused, because there is nothing to fetch: this service publishes each layer as soon as it is computed.
     */
    post: operations["fetchEarthEngineLayer"];
  };
  "/api/v1/regions/": {
    /**
     * Lists the published regions, newest first
     * @description Regions are boxes that calls of `export-asset` have computed. They are not in the lists of states, tehsils and active locations. A region is removed `kept_days` days after its last publication, or never if `kept_days` is null.
     */
    get: operations["listRegions"];
  };
  "/api/v1/regions/{id}/": {
    /** Returns a published region with the addresses of its Items */
    get: operations["getRegion"];
    /**
     * Removes a region with its Items, tables and files (superusers only)
     * @description Runs that compute the region are cancelled first. After the removal, the addresses of its Items and files respond 404. A later call of `export-asset` computes the region again.
     */
    delete: operations["removeRegion"];
  };
  "/api/v1/stac/": {
    /** Returns the root of the STAC catalogue */
    get: operations["getCatalog"];
  };
  "/api/v1/stac/{state}/": {
    /** Returns the Collection of a state */
    get: operations["getStateCollection"];
  };
  "/api/v1/stac/{state}/{district}/": {
    /** Returns the Collection of a district */
    get: operations["getDistrictCollection"];
  };
  "/api/v1/stac/{state}/{district}/{block}/": {
    /** Returns the Collection of a block (tehsil), with links to its Items */
    get: operations["getBlockCollection"];
  };
  "/api/v1/stac/{state}/{district}/{block}/items/{item}/": {
    /** Returns a STAC Item */
    get: operations["getItem"];
  };
  "/api/v1/stac-api/": {
    /**
     * Returns the landing page of the STAC API
     * @description Entry point for clients that browse and search: QGIS, STAC Browser, pystac-client. It links to all other addresses of the API.
     */
    get: operations["getStacApi"];
  };
  "/api/v1/stac-api/conformance": {
    /** Returns the conformance classes of the STAC API */
    get: operations["getStacConformance"];
  };
  "/api/v1/stac-api/api": {
    /** Returns the OpenAPI document of the whole service with the media type that STAC clients expect */
    get: operations["getStacServiceDescription"];
  };
  "/api/v1/stac-api/collections": {
    /** Lists the Collections of states, districts and blocks, sorted by path; filters by box, time, ids or words */
    get: operations["listStacCollections"];
  };
  "/api/v1/stac-api/collections/{collection_id}": {
    /** Returns a Collection with links to its Items or child Collections */
    get: operations["getStacCollection"];
  };
  "/api/v1/stac-api/children": {
    /** Lists the Collections of all states with Items */
    get: operations["getStacChildren"];
  };
  "/api/v1/stac-api/collections/{collection_id}/children": {
    /** Lists the child Collections of a Collection */
    get: operations["getStacCollectionChildren"];
  };
  "/api/v1/stac-api/collections/{collection_id}/items": {
    /** Lists the Items of a Collection, page by page */
    get: operations["listStacItems"];
  };
  "/api/v1/stac-api/collections/{collection_id}/items/{item_id}": {
    /** Returns an Item */
    get: operations["getStacItem"];
  };
  "/api/v1/stac-api/search": {
    /**
     * Finds Items that meet the conditions of a query, page by page
     * @description An Item must meet all conditions. The link `next` leads to the next page. If `fields` names members to include, only these and the members that identify the Item are sent. Exception: if one of them is not `type`, `stac_version`, `id`, `collection`, `geometry`, `bbox`, `links` or `assets`, and no member is left out, all members that every Item needs are also sent. Searches by ids, Collections, box and time do not wait for searches with a filter; a search that waits too long is refused with 503 and Retry-After.
     */
    get: operations["searchStacItems"];
    /**
     * Finds Items that meet the conditions of a body, page by page
     * @description An Item must meet all conditions. The link `next` leads to the next page. If `fields` names members to include, only these and the members that identify the Item are sent. Exception: if one of them is not `type`, `stac_version`, `id`, `collection`, `geometry`, `bbox`, `links` or `assets`, and no member is left out, all members that every Item needs are also sent. Searches by ids, Collections, box and time do not wait for searches with a filter; a search that waits too long is refused with 503 and Retry-After.
     */
    post: operations["searchStacItemsByBody"];
  };
  "/api/v1/stac-api/queryables": {
    /** Returns the properties by which Items can be filtered, as a JSON Schema */
    get: operations["getStacQueryables"];
  };
  "/api/v1/stac-api/collections/{collection_id}/queryables": {
    /** Returns the properties by which Items of a Collection can be filtered, as a JSON Schema */
    get: operations["getStacCollectionQueryables"];
  };
  "/api/v1/get_stac_catalog/": {
    /** Returns the STAC document of the deepest named place; the root if none is named */
    get: operations["getStacCatalog"];
  };
  "/api/v1/generate_stac_collection/": {
    /**
     * Confirms the STAC documents of a published layer, for existing clients that generate documents before they read them
     * @description Items are published with their layers, and Collections are built from them on each request, so there is nothing to generate. If the layer is not published, the response is 404.
     */
    post: operations["generateStacCollection"];
  };
  "/api/v1/assets/{run}/{token}/{name}": {
    /** Returns a published file of a run: COG, GeoJSON, style or thumbnail; HEAD and Range work */
    get: operations["getAsset"];
  };
  "/api/v1/assets/latest/{state}/{district}/{block}/{item}/{asset}": {
    /**
     * Returns the newest version of an asset of an Item; HEAD and Range work
     * @description This address is stable: it also works after the Item is computed again. To read the file in ranges, send the header `If-Range` or `If-Match` with the ETag of the first range, so that all ranges belong to the same version.
     */
    get: operations["getLatestAsset"];
  };
  "/api/v1/tables/{state}/{district}/{block}/": {
    /** Lists the tables of a block (tehsil) with their columns, without rows */
    get: operations["listTables"];
  };
  "/api/v1/tables/{state}/{district}/{block}/{name}/": {
    /**
     * Returns the newest version of a table of a block (tehsil) as JSON, CSV or a page
     * @description In CSV, a text that a spreadsheet would run as a formula begins with an apostrophe. Lists are written as JSON, and unknown values as empty fields.
     */
    get: operations["getTable"];
  };
  "/api/v1/import/{kind}/": {
    /**
     * Imports a file of boundaries or data; superusers only
     * @description The file is the part `file` of a multipart form. Wrong rows are skipped and listed in the response; if all are wrong, the response is 400 with the same list. An unreadable file changes nothing. A file that was already imported changes nothing if it is sent again. `state`, `district` and `tehsil` name the tehsil if the file does not; the kind `layer` also needs `options`. Workbooks, series and layers are published as a run of the superuser who sends them. At most four uploads are accepted at a time, and two of them are read at a time; a further upload gets 503 with Retry-After. The command `headwater import` does the same on the machine of the service.
     */
    post: operations["importFile"];
  };
  "/api/v1/upload_kml/": {
    /**
     * Imports boundaries or a layer of a tehsil from a KML or KMZ file; superusers only
     * @description The same import as POST /api/v1/import/:kind/, with the kind in the field "kind", which must come before the part "file". A layer also needs `options`. The response has the report of the import. The import reads nothing outside of the file, and refuses files with a document type or a NetworkLink.
     */
    post: operations["uploadKml"];
  };
  "/geoserver/{workspace}/ows": {
    /**
     * WFS of a workspace; HEAD and Range work for whole layers as GeoJSON (this address also answers WCS and WMS)
     * @description Returns the newest version; with `run`, as in the hrefs of Items, the version that this run published. Errors are OGC exception reports.
     */
    get: operations["getLayer"];
  };
  "/geoserver/{workspace}/wcs": {
    /**
     * WCS 2.0.1 GetCoverage of a whole raster layer as GeoTIFF; HEAD and Range work
     * @description Returns the newest version; with `run`, as in the hrefs of Items, the version that this run published. Errors are OGC exception reports.
     */
    get: operations["getCoverage"];
  };
  "/geoserver/{service}": {
    /**
     * WFS, WCS and WMS of all published layers, for GIS programs
     * @description Layers are named `workspace:layer`. Errors are exception reports in the format of the requested service and version.
     */
    get: operations["getMapService"];
  };
  "/geoserver/{workspace}/{service}": {
    /**
     * WFS, WCS and WMS of the layers of one workspace
     * @description Layers may be named without their workspace. Errors are exception reports in the format of the requested service and version.
     */
    get: operations["getWorkspaceService"];
  };
  "/geoserver/ogc/features/v1/": {
    /** OGC API Features: landing page */
    get: operations["getOgcFeatures"];
  };
  "/geoserver/ogc/features/v1/conformance": {
    /** OGC API Features: conformance classes */
    get: operations["getOgcFeaturesConformance"];
  };
  "/geoserver/ogc/features/v1/collections": {
    /** OGC API Features: all published vector layers */
    get: operations["listOgcCollections"];
  };
  "/geoserver/ogc/features/v1/collections/{collection}": {
    /** OGC API Features: a vector layer */
    get: operations["getOgcCollection"];
  };
  "/geoserver/ogc/features/v1/collections/{collection}/schema": {
    /** OGC API Features: JSON Schema of the features of a layer */
    get: operations["getOgcCollectionSchema"];
  };
  "/geoserver/ogc/features/v1/collections/{collection}/queryables": {
    /** OGC API Features: columns of a layer that filters can use, as JSON Schema */
    get: operations["getOgcCollectionQueryables"];
  };
  "/geoserver/ogc/features/v1/collections/{collection}/items": {
    /**
     * OGC API Features: features of a layer as GeoJSON, in pages
     * @description A parameter with the name of a column selects the features that have the value of the parameter in this column. Links of the response lead to the next and the previous page.
     */
    get: operations["listOgcItems"];
  };
  "/geoserver/ogc/features/v1/collections/{collection}/items/{feature}": {
    /** OGC API Features: one feature as GeoJSON */
    get: operations["getOgcItem"];
  };
  "/geoserver/ogc/tiles/v1/": {
    /** OGC API - Tiles: links to its documents */
    get: operations["getTilesLandingPage"];
  };
  "/geoserver/ogc/tiles/v1/conformance": {
    /** OGC API - Tiles: conformance classes */
    get: operations["getTilesConformance"];
  };
  "/geoserver/ogc/tiles/v1/tileMatrixSets": {
    /** OGC API - Tiles: the tile matrix sets */
    get: operations["getTileMatrixSets"];
  };
  "/geoserver/ogc/tiles/v1/tileMatrixSets/{set}": {
    /** OGC API - Tiles: scales and sizes of a tile matrix set */
    get: operations["getTileMatrixSet"];
  };
  "/geoserver/ogc/tiles/v1/collections": {
    /** OGC API - Tiles: the layers that have map tiles */
    get: operations["getTilesCollections"];
  };
  "/geoserver/ogc/tiles/v1/collections/{collection}": {
    /** OGC API - Tiles: a layer that has map tiles */
    get: operations["getTilesCollection"];
  };
  "/geoserver/ogc/tiles/v1/collections/{collection}/map/tiles": {
    /** OGC API - Tiles: the tile sets of a layer */
    get: operations["getMapTileSets"];
  };
  "/geoserver/ogc/tiles/v1/collections/{collection}/map/tiles/{set}": {
    /** OGC API - Tiles: limits and addresses of a tile set */
    get: operations["getMapTileSet"];
  };
  "/geoserver/ogc/tiles/v1/collections/{collection}/tiles": {
    /** OGC API - Tiles: the vector tile sets of a layer */
    get: operations["getVectorTileSets"];
  };
  "/geoserver/ogc/tiles/v1/collections/{collection}/tiles/{set}": {
    /** OGC API - Tiles: limits and addresses of a vector tile set */
    get: operations["getVectorTileSet"];
  };
  "/geoserver/tiles/{workspace}/{file}": {
    /**
     * TileJSON of a layer, or a file with all of its vector tiles
     * @description TileJSON contains the address of the tiles: PNG for a raster, vector tiles for a vector layer. PMTiles and MBTiles files are made when they are requested; requests of ranges are answered.
     */
    get: operations["getTileJson"];
  };
  "/api/v1/layer_status_dashboard/": {
    /**
     * Returns for each layer of a tehsil if the map server serves it
     * @description Lists the published layers of the tehsil, and the datasets for which it has no layer. The `status_code` of a layer is 200 if the map server has its newest or an earlier version, and, for vectors, at least one feature. Requests are answered one after the other; if too many wait, the response is a 503 with Retry-After.
     */
    post: operations["layerStatusDashboard"];
  };
  "/api/v1/get_layers_in_workspace/": {
    /** Lists the layers of a workspace that the map server serves, and the published layers that it does not serve */
    get: operations["getLayersInWorkspace"];
  };
  "/api/v1/missing_layers/": {
    /**
     * Compares the published layers of a workspace with those that the map server serves
     * @description The same comparison as `headwater map-server check`, for one workspace.
     */
    get: operations["getMissingLayers"];
  };
  "/api/v1/create_workspace/": {
    /**
     * Creates a workspace at the map server; superusers only
     * @description The embedded map server creates a workspace when a layer is published in it, so without a GeoServer, the request only checks the name. 200: the workspace already exists.
     */
    post: operations["createWorkspace"];
  };
  "/api/v1/delete_layer/": {
    /**
     * Unpublishes a layer; superusers only
     * @description Does the same as "Unpublish" on the admin pages. One transaction removes the Item of the layer with all its versions, layers and tables. Then the service removes the files, and the map server removes the layers. The request is refused (409) while a run computes the layer again. The run that computed the layer is not removed. The audit log gets an entry.
     */
    post: operations["deleteLayer"];
  };
  "/api/v1/get_states/": {
    /** Lists the states of the place directory */
    get: operations["listStates"];
  };
  "/api/v1/get_districts/{state_id}/": {
    /** Lists the districts of a state; empty for an unknown state */
    get: operations["listDistricts"];
  };
  "/api/v1/get_blocks/{district_id}/": {
    /** Lists the tehsils (blocks) of a district; empty for an unknown district */
    get: operations["listBlocks"];
  };
  "/api/v1/activate_location/": {
    /**
     * Activates or deactivates a state, district or tehsil (block); superusers only
     * @description The lists of active locations, such as `get_active_locations/`, leave out inactive places; other routes do not. A place can be activated only if the places above it are active. Deactivating a place changes no other place.
     */
    patch: operations["activateLocation"];
  };
  "/api/v1/get_admin_details_by_latlon/": {
    /**
     * Returns the state, district and tehsil at a point
     * @description A point on a border belongs to the tehsil; if several tehsils share the border, the first one by the slugs of state, district and tehsil is returned.
     */
    get: operations["getAdminDetailsByLatLon"];
  };
  "/api/v1/get_mwsid_by_latlon/": {
    /**
     * Returns the micro-watershed at a point, with its state, district and tehsil
     * @description If several micro-watersheds share a border at the point, the first one by uid is returned.
     */
    get: operations["getMwsIdByLatLon"];
  };
  "/api/v1/get_active_locations/": {
    /** Lists active states with their active districts and tehsils */
    get: operations["getActiveLocations"];
  };
  "/api/v1/proposed_blocks/": {
    /** Lists the active locations (no API key needed) */
    get: operations["getProposedBlocks"];
  };
  "/api/v1/get_generated_layer_urls/": {
    /**
     * Lists the published layers of a tehsil, with addresses that need no key
     * @description For a known tehsil without published layers the list is empty, and the header `Link` names requests that compute layers.
     */
    get: operations["getGeneratedLayerUrls"];
  };
  "/api/v1/get_mws_geometries/": {
    /**
     * Returns the micro-watersheds of a tehsil as in the map server's layer, with only `uid`; HEAD and Range work
     * @description If the layer is not published, the response has the boundaries of the place directory in the same form; the response to HEAD then has a Content-Length only after a GET.
     */
    get: operations["getMwsGeometries"];
  };
  "/api/v1/get_village_geometries/": {
    /**
     * Returns the villages of a tehsil as in the map server's layer, with only `vill_ID` (0 = none) and `vill_name`; HEAD and Range work
     * @description If the layer is not published, the response has the boundaries of the place directory in the same form; the response to HEAD then has a Content-Length only after a GET.
     */
    get: operations["getVillageGeometries"];
  };
  "/api/v1/get_tehsil_data/": {
    /**
     * Returns every sheet of a tehsil: rows by the name of their sheet, to join on `uid`
     * @description Sheets are tables whose rows belong to units of the tehsil. Tables with validations of layers are not included; the Items of the layers link to them. Column names are in lower case, unknown values are null, lists are arrays. The data is from the newest tables; `regenerate` is ignored.
     */
    get: operations["getTehsilData"];
  };
  "/api/v1/get_mws_data/": {
    /**
     * Returns time series of a micro-watershed: NDVI and, if known, water by fortnight
     * @description Values are rounded to two decimals. A date without hydrology has 0 for `et`, `runoff` and `precipitation`, as existing clients expect; other unknown values are ''.
     */
    get: operations["getMwsData"];
  };
  "/api/v1/get_mws_kyl_indicators/": {
    /**
     * Returns the indicators of a micro-watershed, as a list of one record
     * @description These indicators are computed from published tables: cropping intensity; surface water relative to land and crops; terrain; ground cover in total, on slopes and on plains; changes of ground cover; drainage; water bodies. The tables of an imported workbook also give rain, runoff and dry spells (means of the years), the trend of groundwater, drought, NREGA works (their sum), villages, restoration, elevation, aquifer and groundwater classes, and whether there is a conflict, a mine, a green credit, a factory, a canal or a river. Trends are 1, 0 or -1 by the Mann-Kendall test at 5 % over all years. An unknown number is 0, an unknown code or text is '', and an unknown list is empty. If unknown, `canal_available` and `river_available` are false, and `trend_swb` is -1. `area_tree_on_slope`, `area_shrubs_on_slope` and `area_crops_on_plain` are in no table and always 0.
     */
    get: operations["getMwsKylIndicators"];
  };
  "/api/v1/get_mws_report/": {
    /** Returns the address of the report of a micro-watershed: a page to read and print, which needs no key */
    get: operations["getMwsReport"];
  };
  "/api/v1/add_new_layer_data_to_excel/": {
    /**
     * Lists the sheets of the workbook of a tehsil
     * @description Existing clients call this route to add sheets to a file. This is not necessary here, because each download is generated from the newest tables. If the operator also keeps workbooks as files in a folder, this request schedules an update of the file of the tehsil.
     */
    get: operations["addNewLayerDataToExcel"];
  };
  "/api/v1/download_kyl_data/": {
    /**
     * Downloads the indicators of every micro-watershed of a tehsil as JSON, spreadsheet or GeoJSON, without a key
     * @description The records are the same as in `get_mws_kyl_indicators/`, except that the terrain cluster is spelled `terrainCluster_ID`, as existing clients expect. They are computed from the newest tables; `regenerate` is ignored.
     */
    get: operations["downloadKylData"];
  };
  "/api/v1/download_kyl_village_data/": {
    /**
     * Returns the data of each village of a tehsil, without a key
     * @description Population and literacy come from the sheet `social_economic_indicator`, assets from `nrega_assets_village`, if these sheets are imported. Unknown values are -1. The fields about facilities (schools, health services, markets and others) are always -1, because no sheet has such data.
     */
    get: operations["downloadKylVillageData"];
  };
  "/api/dag/run": {
    /**
     * Runs the configured workflow at the orchestrator
     * @description Known members of `conf` (region, years, scheme) are checked like those of export-asset. All members are passed on unchanged, except `api_base`, which is set to this service. The run is not stored in this service: its id is that of the orchestrator. The number of unfinished runs of all callers, and of one address, is limited; further runs are refused with 429 until one ends.
     */
    post: operations["runWorkflow"];
  };
  "/api/dag/status": {
    /**
     * Returns the state of a run of the workflow; request it every 3 to 5 seconds until `done` is true
     * @description For a failed run of the workflow: the task, the reason and lines of its log. If the workflow computes a stored run of this service, these details are left out: the owner of the stored run, and superusers, find them in the member `error` of the stored run.
     */
    get: operations["workflowStatus"];
  };
}
export interface components {
  schemas: {
    ActivateLocationRequest: {
      /**
       * @description Level of the place.
       * @enum {string}
       */
      location_type: "state" | "district" | "block";
      /** @description Id of the place in the directory. */
      location_id: number | string;
      /** @description True: the lists of active places include it. */
      active: boolean;
    };
    ActivatedLocation: {
      message: string;
      /** @enum {string} */
      location_type: "state" | "district" | "block";
      location_id: number;
      active: boolean;
    };
    ActiveLocations: {
      label: string;
      state_id: string;
      district: {
        label: string;
        district_id: string;
        blocks: {
          label: string;
          block_id: string;
          tehsil_id: string;
        }[];
      }[];
    }[];
    AdminDetails: {
      State: string;
      District: string;
      Tehsil: string;
    };
    AdminForm: {
      /** @description Token against forged requests, from the page of the form. */
      token?: string;
    } & {
      [key: string]: unknown;
    };
    AdminImportForm: {
      /** @description Token against forged requests, from the page of the form. It must come before the file. */
      token: string;
      /** @description Kind of the file, as in the import by the API. It must come before the file. */
      kind: string;
      /** @description `on`: the file is only checked. */
      dry_run?: string;
      /**
       * Format: binary
       * @description The file.
       */
      file: string;
    } & {
      [key: string]: unknown;
    };
    AdminImportNowForm: {
      /**
       * @description Token against forged requests, from the page of the form.
       * @default
       */
      token: string;
      /**
       * @description Id of the checked file, from the report.
       * @default
       */
      checked: string;
    };
    ApiKeyRequest: {
      /**
       * @description Default: generate.
       * @enum {string}
       */
      action?: "generate" | "deactivate";
      /** @description Name of the new key; default: a name with the current time. */
      name?: string;
      /** @description Days until the new key expires; default 3000. */
      expiry_days?: number;
      /** @description Id of the owner of the key to deactivate. */
      user_id?: number | string;
      /** @description The key to deactivate: its full text, or the masked text of the list. */
      api_key?: string;
    };
    ApiKeys: {
      /** @constant */
      success: true;
      message: string;
      api_keys: {
        /** @description First 8 characters of the key; the secret is masked. */
        api_key: string;
        is_active: boolean;
        expires_at: string;
        created_at: string;
        name: string;
        /** @description Time of the last request, at most ten seconds behind; null if the key was never used. */
        last_used_at: string | null;
        /** @description Requests by day (UTC) in the last 30 days; days without requests are left out. */
        days: {
          day: string;
          requests: number;
        }[];
      }[];
    };
    AssetStatus: {
      asset_id: string;
      /** @enum {string} */
      state: "COMPLETED" | "PENDING";
      done: boolean;
      success: boolean;
      /** @enum {string} */
      type?: "raster" | "vector";
      /** @description Version of the asset; "" before the asset exists. */
      version: string;
      /** @description Address of the data of the first Item; null before the Item exists. */
      destination: string | null;
    };
    Blocks: {
      blocks: {
        id: number;
        active_status: boolean;
        tehsil_name: string;
        block_name: string;
        district: number;
        normalized_tehsil_name: string;
        normalized_block_name: string;
      }[];
    };
    ChangePasswordRequest: {
      /** @description The current password. */
      old_password: string;
      /** @description The new password: at least 8 characters, not a common one, not only digits. */
      new_password: string;
      /** @description The new password again. */
      new_password_confirm: string;
    };
    ChangeUserRequest: {
      /** @description New e-mail address. To change the address of the caller or of a superuser, `old_password` is required. */
      email?: string;
      /** @description The caller's current password; required to change the e-mail of the caller or of a superuser. */
      old_password?: string;
      /** @description Given name. */
      first_name?: string;
      /** @description Family name. */
      last_name?: string;
      /** @description Telephone number, as the person writes it. */
      contact_number?: string | null;
      /** @description Years. */
      age?: number | null;
      /** @description Highest degree, in any words. */
      education_qualification?: string | null;
      /** @description M male, F female, O other. */
      gender?: ("M" | "F" | "O") | null;
      /** @description Kind of account; it gives no rights. */
      account_type?: ("individual" | "org") | null;
      /** @description False disables the account and ends every session of the user. Ignored unless the caller is a superuser. */
      is_active?: boolean;
      /** @description True: the user may start computations. Ignored unless the caller is a superuser. */
      may_compute?: boolean;
    };
    ChangedUser: {
      message: string;
      user: components["schemas"]["User"];
    };
    ComputeAccepted: {
      Success: string;
      message: string;
      run_id: string;
      task_id: string;
      execution_id: string;
      /** @description Id of the first Item; "" before the Item exists. */
      asset_id: string;
      asset_ids: string[];
      /** @description Platform that hosts the files. */
      hosting_platform: string;
      /** @description True if no new run was created: an identical one is in progress, is stored, or has the same Idempotency-Key. */
      joined: boolean;
      /** @description True if this is the stored result of an earlier run with the same inputs. */
      reused: boolean;
      /** @constant */
      status: "initiated";
      /** @description Ids of the runs that must succeed before this run begins. */
      after: string[];
    };
    ComputeForm: {
      /**
       * @description Name of the state.
       * @default
       */
      state: string;
      /**
       * @description Name of the district.
       * @default
       */
      district: string;
      /**
       * @description Name of the tehsil.
       * @default
       */
      tehsil: string;
      /**
       * @description Name of the computation.
       * @default
       */
      layer: string;
      /**
       * @description Language; default: by `Accept-Language`.
       * @enum {string}
       */
      lang?: "en" | "hi";
      /**
       * @description `estimate`: the page shows an estimate of the work, and nothing is started.
       * @default
       * @enum {string}
       */
      check: "1" | "" | "estimate";
      /**
       * @description true: missing layers are computed first.
       * @default
       */
      with_dependencies: string;
      /**
       * @description Token against forged requests, from the page of the form.
       * @default
       */
      token: string;
    } & {
      [key: string]: string;
    };
    ComputeProblem: {
      type: string;
      title: string;
      /** @description HTTP status as a number; on computing routes, `error` or `failed`. */
      status: number | ("error" | "failed");
      code: components["schemas"]["ErrorCode"];
      detail: string;
      request_id: string;
      errors?: {
        [key: string]: string[];
      };
      /** @description Same text as `detail`. */
      error: string;
      /** @description Same text as `detail`. */
      message: string;
    } & {
      [key: string]: unknown;
    };
    ComputeSuccess: {
      Success: string;
      message: string;
      run_id: string;
      task_id: string;
      execution_id: string;
      /** @description Id of the first Item; "" before the Item exists. */
      asset_id: string;
      asset_ids: string[];
      /** @description Platform that hosts the files. */
      hosting_platform: string;
      /** @description True if no new run was created: an identical one is in progress, is stored, or has the same Idempotency-Key. */
      joined: boolean;
      /** @description True if this is the stored result of an earlier run with the same inputs. */
      reused: boolean;
      /** @constant */
      status: "success";
      version: string;
      /** @description Seconds. */
      execution_time: number;
      /** @description Seconds per step and other measured numbers. */
      timings: {
        [key: string]: number;
      };
      /** @description The first Item; null if the run published only tables or series. */
      stac_spec: components["schemas"]["StacItem"] | null;
      stac_items: components["schemas"]["StacItem"][];
      /** @description Tables that the run published and that no later run has replaced. */
      tables: components["schemas"]["RunTable"][];
    };
    ConfirmForm: {
      /**
       * @description Token against forged requests, from the page of the form.
       * @default
       */
      token: string;
    };
    DeactivatedApiKey: {
      /** @constant */
      action: "deactivate";
      /** @constant */
      success: true;
      message: string;
      data: {
        /** @description First 8 characters of the key; the secret is masked. */
        api_key: string;
        is_active: boolean;
        expires_at: string;
      };
    };
    Detail: {
      detail: string;
    };
    Districts: {
      districts: {
        id: number;
        active_status: boolean;
        district_name: string;
        state: number;
        normalized_district_name: string;
      }[];
    };
    DryRun: {
      /** @constant */
      dry_run: true;
      /** @description Number of tehsils that would be computed. */
      tehsils: number;
      /** @description Area of these tehsils. */
      km2: number;
      /** @description Number of tehsils that were examined; the figures for all tehsils are estimated from these. */
      sampled: number;
      /** @description Number of examined tehsils whose needed data are missing. */
      lacking: number;
      /** @description Tehsils that could not be examined, with the reasons; a run over them would probably fail. */
      failed: {
        district: string;
        block: string;
        message: string;
      }[];
      /** @description Satellite scenes to read, summed over years and tehsils; 0 for a layer without scenes. Null if this server cannot estimate them, or if the pipeline does not state its inputs. */
      scenes: number | null;
      /** @description Bytes of scenes and elevations to read from files or servers, as if none were cached. The margin of elevations around a place is not counted. Null if unknown, for example without elevations for the place. */
      bytes: number | null;
      /** @description HTTP requests for scenes and elevations; 0 if they are local files. Null if unknown. */
      requests: number | null;
      /** @description Platform that reads the scenes with the rights of the account; null if no platform reads scenes, for example with the service's own sources. */
      scene_engine: {
        /** @description `earth_engine`. */
        engine: string;
        /** @description Account with whose rights and quota the scenes are read. */
        account_id: number;
        /** @description Maximum number of pixels to receive, summed over bands. Scenes that are entirely cloudy need fewer. */
        pixels: number;
        /** @description Expected computing time at the platform: the pixels, times the EECU-seconds per pixel of earlier runs. Null if no run has been measured. */
        eecu_seconds: number | null;
        /** @description Lowest and highest expected time: computed with the run that used the fewest EECU-seconds per pixel, and with the run that used the most. */
        eecu_range: number[] | null;
        /** @description Sentence about the measured runs, or about the reason for the missing figure. */
        eecu_reason: string;
      } | null;
      /** @description Minutes of computation by one worker; a slow network takes longer. Null if the layer was never computed here and has no scenes, or none that can be estimated. */
      minutes: number | null;
      /** @description Peak memory of the worker; null if the layer has no scenes, or none that can be estimated. */
      memory_bytes: number | null;
      /** @description Bytes on the disk: the scratch files of one tehsil (the examined tehsil that needs most), and the published files of all tehsils. Null if unknown. */
      disk_bytes: number | null;
      /** @description True if the minutes are estimated from the newest run of this layer on this service. */
      is_measured: boolean;
      /** @description Missing data that the examined tehsils need; null if no data are missing. */
      missing: string | null;
      /** @description Pipelines that `with_dependencies=true` would run first; null if no pipeline makes the missing data of an examined tehsil. */
      makers: string[] | null;
    };
    EarthEngineAssets: {
      Success: string;
      layers: {
        layer_name: string;
        /** @description Null before the export has begun. */
        gee_asset_path: string | null;
        /** @enum {string} */
        state: "READY" | "RUNNING" | "COMPLETED" | "FAILED" | "CANCEL_REQUESTED" | "CANCELLED";
        /** @description Id of the export, for the state of its task. */
        task_id: string;
        /** @description Only for users who may read the run of the layer; otherwise null. */
        error_message: string | null;
      }[];
    };
    EoAccount: {
      id: number;
      name: string;
      /** @description E-mail of the owner; null if there is none, and for users who may not compute. */
      account_email: string | null;
      /** @description E-mail of the service account in the credentials of this account; null if there is none, and for users who may not compute. */
      service_account_email: string | null;
      /**
       * @description Platform of the account. `local` needs no credentials.
       * @enum {string}
       */
      platform: "local" | "earth_engine";
      /** @description False: the account is disabled, and requests that name it are refused. */
      is_active: boolean;
    };
    EoAccountChange: {
      /** @description Name of the account in requests and lists. */
      name?: string;
      /** @description E-mail under which `geeaccounts/` lists the account. */
      account_email?: string | null;
      /** @description E-mail of the Google service account whose key the account uses; it must equal the e-mail in the key. */
      service_account_email?: string | null;
      /**
       * @description `local`, the default, needs no credentials; `earth_engine` needs the credentials of a service account.
       * @enum {string}
       */
      platform?: "local" | "earth_engine";
      /** @description True, the default: lists show the account. Requests that name a hidden account are refused. */
      is_visible?: boolean;
      /** @description True, the default. False disables the account: requests that name it are refused. */
      is_active?: boolean;
    };
    /**
     * @description Stable error code.
     * @enum {string}
     */
    ErrorCode: "validation" | "parse" | "not_authenticated" | "bad_authorization_header" | "token_not_valid" | "user_inactive" | "user_not_found" | "no_active_account" | "password_change_required" | "computing_not_allowed" | "forbidden" | "not_found" | "method_not_allowed" | "conflict" | "missing_layer" | "cancelled" | "payload_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "key_reused" | "input_data" | "no_scenes" | "dependency_failed" | "throttled" | "internal" | "crashed_repeatedly" | "upstream_failed" | "unavailable" | "took_too_long" | "upstream_timeout" | "storage_full";
    ExportDone: {
      /** @constant */
      status: "success";
      /** @constant */
      state: "COMPLETED";
      /** @description Id of the task for `export-status`; it cannot be guessed. */
      task_id: string;
      done: boolean;
      /** @description Id of the first Item; "" before the Item exists. */
      asset_id: string;
      asset_ids: string[];
      /** @description Version of the asset, from "1"; "" before the asset exists. */
      version: string;
      hosting_platform: string;
      stac_items: components["schemas"]["StacItem"][];
      /** @description The first Item; null before it exists. */
      stac_spec: components["schemas"]["StacItem"] | null;
      /** @description Address of the data of the first Item; null before the Item exists. */
      destination: string | null;
      /** @description Meaning of the values in the data, from the first Item. */
      classes: {
        [key: string]: unknown;
      }[];
      /** @description Id that the caller sent, or the id of the task. */
      execution_id: string;
      /** @description True if an identical call is already being computed, or a stored result is returned. */
      joined: boolean;
      /** @description Hydrological year of the result; absent in callbacks of an orchestrator. */
      year?: number;
      /** @description Present if no year was sent: the year that the service chose, and the reason. */
      note?: string;
      /** @description True if this is the stored result of an earlier run with the same inputs. */
      reused: boolean;
      /** @description Seconds. */
      execution_time: number;
    };
    ExportStatus: {
      /** @enum {string} */
      status: "queued" | "running" | "success" | "failed";
      /** @enum {string} */
      state: "READY" | "RUNNING" | "COMPLETED" | "FAILED" | "CANCELLED";
      success: boolean;
      /** @description Id of the task for `export-status`; it cannot be guessed. */
      task_id: string;
      done: boolean;
      /** @description Id of the first Item; "" before the Item exists. */
      asset_id: string;
      asset_ids: string[];
      /** @description Version of the asset, from "1"; "" before the asset exists. */
      version: string;
      hosting_platform: string;
      stac_items: components["schemas"]["StacItem"][];
      /** @description The first Item; null before it exists. */
      stac_spec: components["schemas"]["StacItem"] | null;
      /** @description Address of the data of the first Item; null before the Item exists. */
      destination: string | null;
      /** @description Meaning of the values in the data, from the first Item. */
      classes: {
        [key: string]: unknown;
      }[];
      /** @description Reason of the failure. */
      error: string | null;
      /** @description 0 to 1. */
      progress: number;
      step: string | null;
      execution_time: number | null;
    };
    ExportTask: {
      /** @constant */
      status: "submitted";
      /** @constant */
      state: "SUBMITTED";
      /** @description Id of the task for `export-status`; it cannot be guessed. */
      task_id: string;
      done: boolean;
      /** @description Id of the first Item; "" before the Item exists. */
      asset_id: string;
      asset_ids: string[];
      /** @description Version of the asset, from "1"; "" before the asset exists. */
      version: string;
      hosting_platform: string;
      stac_items: components["schemas"]["StacItem"][];
      /** @description The first Item; null before it exists. */
      stac_spec: components["schemas"]["StacItem"] | null;
      /** @description Address of the data of the first Item; null before the Item exists. */
      destination: string | null;
      /** @description Meaning of the values in the data, from the first Item. */
      classes: {
        [key: string]: unknown;
      }[];
      /** @description Id that the caller sent, or the id of the task. */
      execution_id: string;
      /** @description True if an identical call is already being computed, or a stored result is returned. */
      joined: boolean;
      /** @description Hydrological year of the result; absent in callbacks of an orchestrator. */
      year?: number;
      /** @description Present if no year was sent: the year that the service chose, and the reason. */
      note?: string;
    };
    ForgotForm: {
      /**
       * @description Name of the account.
       * @default
       */
      username: string;
      /**
       * @description Token against forged requests, from the page of the form.
       * @default
       */
      token: string;
    };
    ForgotPasswordRequest: {
      /** @description Name of the account. */
      username: string;
      /** @description Ignored: the link goes to the e-mail address of the account. */
      email?: string | null;
    };
    Geometries: {
      /** @constant */
      type: "FeatureCollection";
      features: ({
        /** @constant */
        type: "Feature";
        /** @description {layer}.{n}, n from 1. */
        id: string;
        geometry: unknown;
        properties: {
          [key: string]: unknown;
        };
      } & {
        [key: string]: unknown;
      })[];
      totalFeatures: number;
      numberMatched: number;
      numberReturned: number;
      timeStamp: string;
    } & {
      [key: string]: unknown;
    };
    Group: {
      id: number;
      name: string;
      permissions: {
        id: number;
        codename: string;
        name: string;
      }[];
    };
    GroupRequest: {
      /** @description Id of a group. */
      group_id: number | string;
    };
    GroupedEoAccounts: {
      [key: string]: {
        id: number;
        name: string;
      }[];
    };
    Health: {
      /**
       * @description failing (503): a part that is needed to serve data does not work. degraded: published data is served, but the operator should check the parts.
       * @enum {string}
       */
      status: "ok" | "degraded" | "failing";
      /** @description Version of this software; for superusers. */
      version?: string;
      parts: {
        database: components["schemas"]["HealthPart"];
        worker: components["schemas"]["HealthPart"];
        pixels: components["schemas"]["HealthPart"];
        scenes: components["schemas"]["HealthPart"];
        disk: components["schemas"]["HealthPart"];
        files: components["schemas"]["HealthPart"];
        /** @description The orchestrator that computes runs; only if one is configured. */
        orchestrator?: components["schemas"]["HealthPart"];
        /** @description The download of boundary data; only if one is configured. */
        boundaries?: components["schemas"]["HealthPart"];
        /** @description The copies of published files in a bucket; only if one is configured. */
        bucket?: components["schemas"]["HealthPart"];
        /** @description The age of the oldest run that waits; only if a limit of this age is set. */
        queue?: components["schemas"]["HealthPart"];
        /** @description The age of the last successful backup; only if a limit of this age is set. */
        backup?: components["schemas"]["HealthPart"];
        /** @description State of the process. Present only if the process fails: after a fault from which it cannot recover (restart it), and while the service closes. */
        process?: components["schemas"]["HealthPart"];
      };
    };
    HealthPart: {
      /** @enum {string} */
      state: "ok" | "starting" | "warning" | "failing" | "off";
      detail?: string;
    };
    ImportBody: {
      /** @description State of the tehsil, if the file does not name its tehsil. */
      state?: string;
      /** @description District of the tehsil, if the file does not name its tehsil. */
      district?: string;
      /** @description Name of the tehsil, if the file does not name its tehsil. */
      tehsil?: string;
      /** @description The same as tehsil. */
      block?: string;
      /** @description Only for layers, which require it: description of the layer, a JSON object as text. Required: `name` (of the layer, without the place), `workspace`, `dataset`, `title`, `description`, `license` (SPDX), `providers` (`[{"name": …}]`, its producers), `start` and `end` (first and last day). Optional: `attribution`, `lineage`, `keywords`, and for a raster `unit` or `classes` (`[{"value": 1, "name": …, "title": …, "color": "#rrggbb"}]`). Style files are accepted only by the command `headwater import`. */
      options?: string;
      /**
       * @description true: everything is checked, nothing is stored.
       * @enum {string}
       */
      dry_run?: "true" | "false";
      /**
       * Format: binary
       * @description The file.
       */
      file: string;
    };
    ImportReport: {
      kind: string;
      file_name: string;
      /** @description True: nothing was stored. */
      dry_run: boolean;
      /** @description Number of new or changed rows or features. */
      stored: number;
      /** @description Number of rows or features that were already stored and have not changed. */
      unchanged: number;
      /** @description Number of rows or features that were removed, because they are not in the file. */
      removed: number;
      refused_count: number;
      /** @description The first 1,000 refused rows or features. */
      refused: {
        /** @description File, sheet or layer. */
        source: string;
        /** @description Counted from 1. */
        row: number;
        field?: string;
        problem: string;
      }[];
      repaired_count: number;
      /** @description The first 1,000 repaired rows or features. */
      repaired: {
        /** @description File, sheet or layer. */
        source: string;
        /** @description Counted from 1. */
        row: number;
        repair: string;
      }[];
    };
    Job: {
      /** @description Id of the job, and of the run at the orchestrator. */
      run_id: string;
      /** @enum {string} */
      op: "export";
      /** @enum {string} */
      state: "running" | "success" | "failed";
      done: boolean;
      success: boolean;
      /** @description Result, unchanged as the workflow posted it. */
      result?: {
        [key: string]: unknown;
      };
      error?: string;
      /** @description Hydrological year of the job. Present only in the response of `POST /api/jobs`. */
      year?: number;
      /** @description Present if no year was sent: the year that the service chose, and the reason. */
      note?: string;
      created_at: string;
      finished_at: string | null;
    };
    KeyEndForm: {
      /**
       * @description Masked text of the key.
       * @default
       */
      key: string;
      /**
       * @description Token against forged requests, from the page of the form.
       * @default
       */
      token: string;
    };
    KeyForm: {
      /**
       * @description Name of the new key; default: a name with the time.
       * @default
       */
      name: string;
      /**
       * @description Days until the new key expires; default 3000.
       * @default
       */
      expiry_days: string;
      /**
       * @description Token against forged requests, from the page of the form.
       * @default
       */
      token: string;
    };
    KeyProblem: {
      error: string;
      code: components["schemas"]["ErrorCode"];
      details?: string;
      /**
       * @description Present only on routes whose existing clients read it.
       * @constant
       */
      success?: false;
    } & {
      [key: string]: unknown;
    };
    KmlBody: {
      /** @description State of the tehsil, if the file does not name its tehsil. */
      state?: string;
      /** @description District of the tehsil, if the file does not name its tehsil. */
      district?: string;
      /** @description Name of the tehsil, if the file does not name its tehsil. */
      tehsil?: string;
      /** @description The same as tehsil. */
      block?: string;
      /** @description Only for layers, which require it: description of the layer, a JSON object as text. Required: `name` (of the layer, without the place), `workspace`, `dataset`, `title`, `description`, `license` (SPDX), `providers` (`[{"name": …}]`, its producers), `start` and `end` (first and last day). Optional: `attribution`, `lineage`, `keywords`, and for a raster `unit` or `classes` (`[{"value": 1, "name": …, "title": …, "color": "#rrggbb"}]`). Style files are accepted only by the command `headwater import`. */
      options?: string;
      /**
       * @description true: everything is checked, nothing is stored.
       * @enum {string}
       */
      dry_run?: "true" | "false";
      /**
       * Format: binary
       * @description The file.
       */
      file: string;
      /**
       * @description Kind of the placemarks. The kind must come before the file.
       * @enum {string}
       */
      kind: "places" | "mws" | "villages" | "layer";
    };
    KmlReport: {
      kind: string;
      file_name: string;
      /** @description True: nothing was stored. */
      dry_run: boolean;
      /** @description Number of new or changed rows or features. */
      stored: number;
      /** @description Number of rows or features that were already stored and have not changed. */
      unchanged: number;
      /** @description Number of rows or features that were removed, because they are not in the file. */
      removed: number;
      refused_count: number;
      /** @description The first 1,000 refused rows or features. */
      refused: {
        /** @description File, sheet or layer. */
        source: string;
        /** @description Counted from 1. */
        row: number;
        field?: string;
        problem: string;
      }[];
      repaired_count: number;
      /** @description The first 1,000 repaired rows or features. */
      repaired: {
        /** @description File, sheet or layer. */
        source: string;
        /** @description Counted from 1. */
        row: number;
        repair: string;
      }[];
      Success: string;
    };
    KylDownload: {
      mws_id: string;
      avg_precipitation: number;
      avg_runoff: number;
      cropping_intensity_avg: number;
      avg_single_cropped: number;
      avg_double_cropped: number;
      avg_triple_cropped: number;
      avg_wsr_ratio_kharif: number;
      avg_wsr_ratio_rabi: number;
      avg_wsr_ratio_zaid: number;
      avg_kharif_surface_water_mws: number;
      avg_rabi_surface_water_mws: number;
      avg_zaid_surface_water_mws: number;
      avg_number_dry_spell: number;
      total_nrega_assets: number;
      degradation_land_area: number;
      increase_in_tree_cover: number;
      decrease_in_tree_cover: number;
      degradation_cropping_intensity: number;
      urbanization_area: number;
      area_wide_scale_restoration: number;
      area_protection: number;
      lcw_conflict: number;
      mining: number;
      green_credit: number;
      factory_csr: number;
      lulc_shrub_percent: number;
      lulc_forest_percent: number;
      lulc_crop_percent: number;
      drainage_density: number;
      relief: number;
      mean_elevation: number;
      relative_mean_elevation: number;
      unseen_land_percent: number;
      unseen_crop_percent: number;
      unseen_water_percent: number;
      area_tree_on_slope: number;
      area_shrubs_on_slope: number;
      area_crops_on_plain: number;
      drought_category: number | "";
      aquifer_class: number | "";
      soge_class: number | "";
      cropping_intensity_trend: string;
      trend_swb: string;
      trend_g: string;
      lulc_slope_category: string;
      lulc_plain_category: string;
      canal_available: boolean;
      river_available: boolean;
      mws_intersect_villages: number[];
      mws_intersect_swb: {
        swbId: string;
        swbName: string;
        latitude: number;
        longitude: number;
      }[];
      terrainCluster_ID: number | "";
    }[];
    KylFeatures: {
      /** @constant */
      type: "FeatureCollection";
      features: {
        /** @constant */
        type: "Feature";
        geometry: {
          type: string;
        } & {
          [key: string]: unknown;
        };
        properties: {
          mws_id: string;
          avg_precipitation: number;
          avg_runoff: number;
          cropping_intensity_avg: number;
          avg_single_cropped: number;
          avg_double_cropped: number;
          avg_triple_cropped: number;
          avg_wsr_ratio_kharif: number;
          avg_wsr_ratio_rabi: number;
          avg_wsr_ratio_zaid: number;
          avg_kharif_surface_water_mws: number;
          avg_rabi_surface_water_mws: number;
          avg_zaid_surface_water_mws: number;
          avg_number_dry_spell: number;
          total_nrega_assets: number;
          degradation_land_area: number;
          increase_in_tree_cover: number;
          decrease_in_tree_cover: number;
          degradation_cropping_intensity: number;
          urbanization_area: number;
          area_wide_scale_restoration: number;
          area_protection: number;
          lcw_conflict: number;
          mining: number;
          green_credit: number;
          factory_csr: number;
          lulc_shrub_percent: number;
          lulc_forest_percent: number;
          lulc_crop_percent: number;
          drainage_density: number;
          relief: number;
          mean_elevation: number;
          relative_mean_elevation: number;
          unseen_land_percent: number;
          unseen_crop_percent: number;
          unseen_water_percent: number;
          area_tree_on_slope: number;
          area_shrubs_on_slope: number;
          area_crops_on_plain: number;
          drought_category: number | "";
          aquifer_class: number | "";
          soge_class: number | "";
          cropping_intensity_trend: string;
          trend_swb: string;
          trend_g: string;
          lulc_slope_category: string;
          lulc_plain_category: string;
          canal_available: boolean;
          river_available: boolean;
          mws_intersect_villages: number[];
          mws_intersect_swb: {
            swbId: string;
            swbName: string;
            latitude: number;
            longitude: number;
          }[];
          terrainCluster_ID: number | "";
        };
      }[];
    };
    KylRecords: {
      mws_id: string;
      avg_precipitation: number;
      avg_runoff: number;
      cropping_intensity_avg: number;
      avg_single_cropped: number;
      avg_double_cropped: number;
      avg_triple_cropped: number;
      avg_wsr_ratio_kharif: number;
      avg_wsr_ratio_rabi: number;
      avg_wsr_ratio_zaid: number;
      avg_kharif_surface_water_mws: number;
      avg_rabi_surface_water_mws: number;
      avg_zaid_surface_water_mws: number;
      avg_number_dry_spell: number;
      total_nrega_assets: number;
      degradation_land_area: number;
      increase_in_tree_cover: number;
      decrease_in_tree_cover: number;
      degradation_cropping_intensity: number;
      urbanization_area: number;
      area_wide_scale_restoration: number;
      area_protection: number;
      lcw_conflict: number;
      mining: number;
      green_credit: number;
      factory_csr: number;
      lulc_shrub_percent: number;
      lulc_forest_percent: number;
      lulc_crop_percent: number;
      drainage_density: number;
      relief: number;
      mean_elevation: number;
      relative_mean_elevation: number;
      unseen_land_percent: number;
      unseen_crop_percent: number;
      unseen_water_percent: number;
      area_tree_on_slope: number;
      area_shrubs_on_slope: number;
      area_crops_on_plain: number;
      terraincluster_id: number | "";
      drought_category: number | "";
      aquifer_class: number | "";
      soge_class: number | "";
      cropping_intensity_trend: string;
      trend_swb: string;
      trend_g: string;
      lulc_slope_category: string;
      lulc_plain_category: string;
      canal_available: boolean;
      river_available: boolean;
      mws_intersect_villages: number[];
      mws_intersect_swb: {
        swbId: string;
        swbName: string;
        latitude: number;
        longitude: number;
      }[];
    }[];
    KylVillages: {
      village_id: number;
      /** @description -1 if unknown. */
      total_population: number;
      /** @description -1 if unknown. */
      percent_sc_population: number;
      /** @description -1 if unknown. */
      percent_st_population: number;
      /** @description -1 if unknown. */
      literacy_level: number;
      /** @description -1 if unknown. */
      total_assets: number;
      /** @description -1 if unknown. */
      essential_education_infra: number;
      /** @description -1 if unknown. */
      higher_education_infra: number;
      /** @description -1 if unknown. */
      essential_health_services: number;
      /** @description -1 if unknown. */
      advanced_health_services: number;
      /** @description -1 if unknown. */
      public_distribution_system: number;
      /** @description -1 if unknown. */
      financial_inclusion: number;
      /** @description -1 if unknown. */
      agri_market_access: number;
      /** @description -1 if unknown. */
      post_harvest_infra: number;
      /** @description -1 if unknown. */
      farmer_cooperatives_access: number;
      /** @description -1 if unknown. */
      livestock_management_centers: number;
      /** @description -1 if unknown. */
      agricultural_support_infrastructure: number;
    }[];
    LayerOrder: {
      Success: string;
      message: string;
      /**
       * @description initiated: runs are stored; success: every layer has a stored result; not_available: this service can compute no layer of the map.
       * @enum {string}
       */
      status: "initiated" | "success" | "not_available";
      map: string;
      /** @description Run of the whole order; null if this service can compute no layer of the map. */
      run_id: string | null;
      /** @description Same as run_id. */
      task_id: string | null;
      /** @description True if an identical request is already in progress. The response then names its runs. */
      joined: boolean;
      runs: {
        /** @description Layer of the map, by the name of its route. */
        node: string;
        pipeline: string;
        run_id: string;
        /** @description Ids of the runs that must succeed before this run begins. */
        after: string[];
        /** @description True if a stored result is reused. */
        reused: boolean;
      }[];
      /** @description Layers (`node`) of the map for which this service has no pipeline; the other layers do not wait for them. */
      not_available: string[];
    };
    LayerRecords: {
      layer_name: string;
      dataset_name: string;
      /**
       * @description point: a vector layer whose features are points.
       * @enum {string}
       */
      layer_type: "vector" | "point" | "raster";
      /** @description Version of the layer: 1.0 after its first publication, then one higher after each publication. */
      layer_version: string;
      /** @description WFS or WCS address of the whole layer, the newest version; needs no key. */
      layer_url: string;
      /** @description First year. A hydrological year has the number of the calendar year in which it begins. Null for a layer without a period. */
      start_year: number | null;
      /** @description Last year, inclusive. */
      end_year: number | null;
      /** @description QGIS style (QML), empty if there is none; needs no key. */
      style_url: string;
      /** @description Path of the asset at the platform of Earth observation if the layer was exported; otherwise path of the file in the store of the service, {run}/{attempt}/{name}. */
      eo_asset_path: string;
      /** @description Path of the asset at the platform of Earth observation if the layer was exported; otherwise path of the file in the store of the service, {run}/{attempt}/{name}. */
      gee_asset_path: string;
    }[];
    LayerRequest: {
      /** @description Workspace of the layer, as in `get_generated_layer_urls/`. */
      workspace: string;
      /** @description Name of the layer, without the workspace. */
      layer_name: string;
    };
    LayerStatus: {
      workspace: string;
      /** @description Empty if the place has no layer of this dataset. */
      layer_name: string;
      /** @description 200: the map server serves the layer; 400: it is not published, not served, or has no feature. */
      status_code: 200 | 400;
      /** @description Number of features; 0 for rasters. */
      totalFeature: number;
      /** @description Start of the data of the layer, ISO 8601 UTC; null if unknown. */
      startDate: string | null;
      /** @description End of the data of the layer, ISO 8601 UTC; null if unknown. */
      endDate: string | null;
    };
    LayerStatuses: {
      /** @description The keys are the names of datasets; if a dataset has several layers, the name of the layer follows in parentheses. */
      result: {
        [key: string]: components["schemas"]["LayerStatus"];
      };
    };
    LoginRequest: {
      /** @description Name of the account. */
      username: string;
      /** @description Password of the account. */
      password: string;
    };
    LoginResponse: {
      access: string;
      refresh: string;
      user: components["schemas"]["User"];
    };
    LogoutRequest: {
      /** @description A refresh token of the session to end. */
      refresh_token: string;
    };
    MadeApiKey: {
      /** @constant */
      action: "generate";
      /** @constant */
      success: true;
      message: string;
      data: {
        /** @description The full key. It is shown only in this response: store it. */
        api_key: string;
        is_active: boolean;
        expires_at: string;
        created_at: string;
        name: string;
      };
    };
    MissingLayers: {
      /** @description Published layers of the workspace that the map server does not serve. */
      result: string[];
      /** @description The first 1,000 differences of every kind, as `headwater map-server check` prints them. */
      differences: {
        /** @description Null if the difference is about the workspace itself or one of its styles. */
        layer_name: string | null;
        /** @enum {string} */
        problem: "missing" | "outdated" | "unknown" | "style";
        message: string;
      }[];
    };
    MwsAtPoint: {
      State: string;
      District: string;
      Tehsil: string;
      mws_id: string;
      uid: string;
    };
    MwsReportUrl: {
      /** Format: uri */
      Mws_report_url: string;
    };
    MwsTimeSeries: {
      mws_id: string;
      time_series: {
        /** @description First day of the fortnight. */
        date: string;
        et: number | "";
        runoff: number | "";
        precipitation: number | "";
        ndvi_crop: number | "";
        ndvi_shrub: number | "";
        ndvi_tree: number | "";
      }[];
    };
    NewEoAccount: {
      /** @description Name of the account in requests and lists. */
      name: string;
      /** @description E-mail under which `geeaccounts/` lists the account. */
      account_email?: string | null;
      /** @description E-mail of the Google service account whose key the account uses; it must equal the e-mail in the key. */
      service_account_email?: string | null;
      /**
       * @description `local`, the default, needs no credentials; `earth_engine` needs the credentials of a service account.
       * @enum {string}
       */
      platform?: "local" | "earth_engine";
      /** @description True, the default: lists show the account. Requests that name a hidden account are refused. */
      is_visible?: boolean;
      /** @description True, the default. False disables the account: requests that name it are refused. */
      is_active?: boolean;
    };
    NewPasswordForm: {
      /**
       * @description The new password; the rules for passwords of new accounts apply.
       * @default
       */
      new_password: string;
      /**
       * @description The new password again.
       * @default
       */
      confirm_password: string;
    };
    NewUserRequest: {
      /** @description Letters of one script, digits and @ . + - _; must be unique, ignoring upper and lower case. */
      username: string;
      /** @description E-mail address; links to reset a forgotten password go there. */
      email?: string;
      /** @description At least 8 characters; not a common password, not only digits, and not similar to the name. */
      password: string;
      /** @description Given name. */
      first_name?: string;
      /** @description Family name. */
      last_name?: string;
      /** @description Telephone number, as the person writes it. */
      contact_number?: string | null;
      /** @description Years. */
      age?: number | null;
      /** @description Highest degree, in any words. */
      education_qualification?: string | null;
      /** @description M male, F female, O other. */
      gender?: ("M" | "F" | "O") | null;
      /** @description Kind of account; it gives no rights. */
      account_type?: ("individual" | "org") | null;
      /** @description Id or name of an organisation. The user joins the organisation after a superuser or one of its members accepts the user. An unknown name creates a new organisation, which is listed after a superuser accepts it. */
      organization?: string;
      /** @description True, the default: the user may start computations. */
      may_compute?: boolean;
    };
    OgcCollection: {
      /** @description `workspace:layer` */
      id: string;
      title: string;
      description: string;
      extent: {
        spatial?: {
          /** @description Boxes: west, south, east, north in degrees. */
          bbox: number[][];
          crs?: string;
        } & {
          [key: string]: unknown;
        };
        temporal?: {
          interval: (string | null)[][];
        } & {
          [key: string]: unknown;
        };
      } & {
        [key: string]: unknown;
      };
      /** @description Coordinate systems of features. */
      crs?: string[];
      links: ({
        rel: string;
        href: string;
        type?: string;
        title?: string;
      } & {
        [key: string]: unknown;
      })[];
    } & {
      [key: string]: unknown;
    };
    OgcCollections: {
      collections: components["schemas"]["OgcCollection"][];
      links: ({
        rel: string;
        href: string;
        type?: string;
        title?: string;
      } & {
        [key: string]: unknown;
      })[];
    } & {
      [key: string]: unknown;
    };
    OgcConformance: {
      conformsTo: string[];
    } & {
      [key: string]: unknown;
    };
    OgcExceptions: {
      version: string;
      status: number;
      exceptions: ({
        code: string;
        locator?: string;
        text: string;
      } & {
        [key: string]: unknown;
      })[];
    } & {
      [key: string]: unknown;
    };
    OgcFeature: {
      /** @constant */
      type: "Feature";
      id?: string;
      geometry: ({
        type: string;
      } & {
        [key: string]: unknown;
      }) | null;
      properties: {
        [key: string]: unknown;
      } | null;
      links?: ({
        rel: string;
        href: string;
        type?: string;
        title?: string;
      } & {
        [key: string]: unknown;
      })[];
    } & {
      [key: string]: unknown;
    };
    OgcFeatures: {
      /** @constant */
      type: "FeatureCollection";
      features: components["schemas"]["OgcFeature"][];
      numberMatched?: number;
      numberReturned?: number;
      links?: ({
        rel: string;
        href: string;
        type?: string;
        title?: string;
      } & {
        [key: string]: unknown;
      })[];
    } & {
      [key: string]: unknown;
    };
    OgcLanding: {
      title: string;
      description: string;
      links: ({
        rel: string;
        href: string;
        type?: string;
        title?: string;
      } & {
        [key: string]: unknown;
      })[];
    } & {
      [key: string]: unknown;
    };
    OgcLegend: {
      Legend: {
        [key: string]: unknown;
      }[];
    } & {
      [key: string]: unknown;
    };
    OgcProblem: {
      title: string;
      status: number;
      detail: string;
      /** @description Exception code of the OGC standard, such as InvalidParameterValue. */
      code: string;
      /** @description Name of the wrong parameter. */
      locator?: string;
    } & {
      [key: string]: unknown;
    };
    OgcSchema: {
      $schema: string;
      $id: string;
      title: string;
      /** @constant */
      type: "object";
      properties: {
        [key: string]: unknown;
      };
    } & {
      [key: string]: unknown;
    };
    OperatorSuccess: {
      Success: string;
    };
    Organization: {
      id: string;
      name: string;
      is_listed: boolean;
    };
    OrganizationChange: {
      /** @description True: the registration page lists the organisation. */
      is_listed: boolean;
    };
    OrganizationRequest: {
      /** @description Id of an organisation; null for none. */
      organization_id: string | null;
    };
    Organizations: {
      id: string;
      name: string;
    }[];
    PasswordForm: {
      /**
       * @description The present password.
       * @default
       */
      old_password: string;
      /**
       * @description The new password.
       * @default
       */
      new_password: string;
      /**
       * @description The new password again.
       * @default
       */
      confirm_password: string;
      /**
       * @description Token against forged requests, from the page of the form.
       * @default
       */
      token: string;
    };
    Problem: {
      type: string;
      title: string;
      /** @description HTTP status as a number; on computing routes, `error` or `failed`. */
      status: number | ("error" | "failed");
      code: components["schemas"]["ErrorCode"];
      detail: string;
      request_id: string;
      errors?: {
        [key: string]: string[];
      };
    } & {
      [key: string]: unknown;
    };
    ProblemWithError: {
      type: string;
      title: string;
      /** @description HTTP status as a number; on computing routes, `error` or `failed`. */
      status: number | ("error" | "failed");
      code: components["schemas"]["ErrorCode"];
      detail: string;
      request_id: string;
      errors?: {
        [key: string]: string[];
      };
      /** @description Same text as `detail`. */
      error: string;
      /**
       * @description Present only on routes whose existing clients read it.
       * @constant
       */
      success?: false;
    } & {
      [key: string]: unknown;
    };
    Project: {
      id: number;
      name: string;
      organization: string | null;
    };
    ProjectRequest: {
      /** @description Name of the project, which must be unique. */
      name: string;
      /** @description Id of an organisation. */
      organization?: string | null;
    };
    ProjectUser: {
      id: number;
      user_id: number;
      username: string;
      group_id: number;
      group_name: string;
      project_id: number;
    };
    ProjectUserRequest: {
      /** @description Id of a user. */
      user_id: number | string;
      /** @description Id of a group. */
      group_id: number | string;
    };
    RefreshRequest: {
      /** @description The refresh token of the last sign-in or refresh. */
      refresh: string;
    };
    Region: {
      /** @description Name of the region, as in the addresses of GET and DELETE. */
      id: string;
      /** @description West, south, east, north in degrees. */
      bbox: number[];
      /** @description Address of the Collection of the region. */
      collection: string;
      /** @description Publication time of the newest Item in `items`. */
      published_at: string | null;
      items: {
        id: string;
        title: string;
        href: string;
      }[];
    };
    RegionPage: {
      /** @description Number of days from the last publication of a region until its removal; null: regions are not removed. */
      kept_days: number | null;
      /** @description Address of the next page; null on the last page. */
      next: string | null;
      /** @description Newest first. A region whose Items are on several pages is listed on each of them. */
      results: components["schemas"]["Region"][];
    };
    RegisterForm: {
      /**
       * @description Name of the new account.
       * @default
       */
      username: string;
      /**
       * @description E-mail address.
       * @default
       */
      email: string;
      /**
       * @description Password.
       * @default
       */
      password: string;
      /**
       * @description The password again.
       * @default
       */
      password_confirm: string;
      /**
       * @description First name.
       * @default
       */
      first_name: string;
      /**
       * @description Last name.
       * @default
       */
      last_name: string;
      /**
       * @description Name of an organisation that the user wants to join.
       * @default
       */
      organization: string;
      /** @description Page of this service to open afterwards. */
      next?: string;
      /**
       * @description Token against forged requests, from the page of the form.
       * @default
       */
      token: string;
    };
    RegisterRequest: {
      /** @description Letters of one script, digits and @ . + - _; must be unique, ignoring upper and lower case. */
      username: string;
      /** @description E-mail address; links to reset a forgotten password go there. */
      email: string;
      /** @description At least 8 characters; not a common password, not only digits, and not similar to the name. */
      password: string;
      /** @description The password again. */
      password_confirm: string;
      /** @description Given name. */
      first_name?: string;
      /** @description Family name. */
      last_name?: string;
      /** @description Telephone number, as the person writes it. */
      contact_number?: string | null;
      /** @description Years. */
      age?: number | null;
      /** @description Highest degree, in any words. */
      education_qualification?: string | null;
      /** @description M male, F female, O other. */
      gender?: ("M" | "F" | "O") | null;
      /** @description Kind of account; it gives no rights. */
      account_type?: ("individual" | "org") | null;
      /** @description Id or name of an organisation. The user joins the organisation after a superuser or one of its members accepts the user. An unknown name creates a new organisation, which is listed after a superuser accepts it. */
      organization?: string;
    };
    RegisteredUser: {
      id: number;
      username: string;
      email: string;
      first_name: string;
      last_name: string;
      contact_number: string | null;
      age: number | null;
      education_qualification: string | null;
      gender: ("M" | "F" | "O") | null;
      profile_picture: null;
      account_type: ("individual" | "org") | null;
    };
    ResetPasswordRequest: {
      /** @description The new password; the rules for passwords of new accounts apply. */
      new_password: string;
    };
    Run: {
      run_id: string;
      /** @description Same as run_id, under the name that existing clients read. */
      task_id: string;
      /** @description Id of the run that started this run. */
      parent_run_id: string | null;
      /** @description Ids of the runs that must succeed before this run begins. */
      after: string[];
      pipeline: string;
      params: {
        [key: string]: unknown;
      };
      state: components["schemas"]["RunState"];
      done: boolean;
      /** @description Same as state, under the name that workflow callbacks read. */
      status: components["schemas"]["RunState"];
      item_ids: string[];
      progress: number;
      step: string | null;
      attempt: number;
      /**
       * @description `local`: a worker of this service computes the run. `orchestrator`: a workflow computes it.
       * @enum {string}
       */
      backend: "local" | "orchestrator";
      queue: string;
      /** @description Id of the workflow (DAG) that computes this run at the orchestrator. */
      dag_id: string | null;
      /** @description Id of the run at the orchestrator; null until the orchestrator reports it. */
      dag_run_id: string | null;
      cancel_requested: boolean;
      error: {
        code: components["schemas"]["ErrorCode"];
        message: string;
        fields?: {
          [key: string]: string[];
        };
        /** @description The task that failed at the orchestrator, and lines of its log. */
        details?: {
          task: string | null;
          excerpt: string;
        };
      } | null;
      /** @description Seconds per step and other measured numbers. */
      timings: {
        [key: string]: number;
      };
      created_at: string;
      started_at: string | null;
      finished_at: string | null;
      /** @description Seconds from start to end; null before the end, and for a run that never started. */
      execution_time: number | null;
      links: {
        self: string;
        log: string;
        events: string;
        cancel: string;
        /** @description Report of a run over a district or a state. */
        tehsils?: string;
      };
      /** @description Items in the version that this run published; replaced versions are `deprecated` and link to the newest. */
      stac_items: components["schemas"]["StacItem"][];
      /** @description Tables that the run published and that no later run has replaced. */
      tables: components["schemas"]["RunTable"][];
      /** @description Items of this run that later runs have replaced. */
      replaced_items: {
        id: string;
        /** @description Address of the newest version; null if only the id is known. */
        latest: string | null;
      }[];
      /** @description Scenes that the run read from a platform with its Earth-observation account. Null if it read no scenes there, for example because it read them from the service's own sources. */
      scene_usage: {
        /** @description Account with whose rights and quota the scenes were read. */
        account_id: number;
        /** @description Requests for pixels, also those that failed. */
        requests: number;
        /** @description Pixels that were received, summed over bands. */
        pixels: number;
        bytes: number;
        /** @description Label of these requests in Cloud Monitoring; it contains the id of the run. Null for a run over a district or a state: the run of each tehsil has its own label. */
        workload_tag: string | null;
        /** @description Computing time of the requests that succeeded, read from Cloud Monitoring after the run. Null if unknown. For a run over a district or a state: the sum over its `measured` tehsils. */
        eecu_seconds: number | null;
        /** @description True if the computing time is known and later reads found no further time. False before that, and if the last read failed. For a run over a district or a state: true if this holds for each tehsil in the sum, and no tehsil is `missing`. */
        eecu_final: boolean;
        /** @description Reason why the last read found no computing time; null if it found one. For a run over a district or a state: the numbers of tehsils without a time, and the reason of one of them. */
        eecu_reason: string | null;
        /** @description Numbers of tehsils; null for a run of one tehsil. The figures of a run over a district or a state are sums over its tehsils. */
        tehsils: {
          /** @description Tehsils of the run. */
          all: number;
          /** @description Tehsils whose computing time is complete; `eecu_seconds` is their sum. */
          measured: number;
          /** @description Tehsils in `measured` whose time is final. */
          final: number;
          /** @description Tehsils whose time is not known yet, also those that are not computed yet. */
          missing: number;
          /** @description Tehsils whose time stays unknown, because no further read follows or because a run was removed. */
          unknown: number;
          /** @description Tehsils that ended, or whose run ended, without reading scenes at the platform, such as those with a stored result. */
          without: number;
          /** @description Reason why the last read of one tehsil found no computing time; null if there is none. */
          problem: string | null;
        } | null;
      } | null;
    };
    RunLog: {
      run_id: string;
      lines: {
        seq: number;
        at: string;
        message: string;
      }[];
    };
    RunPage: {
      count: number;
      next: string | null;
      previous: string | null;
      results: components["schemas"]["RunSummary"][];
    };
    /** @enum {string} */
    RunState: "queued" | "running" | "success" | "failed";
    RunSummary: {
      run_id: string;
      /** @description Same as run_id, under the name that existing clients read. */
      task_id: string;
      /** @description Id of the run that started this run. */
      parent_run_id: string | null;
      /** @description Ids of the runs that must succeed before this run begins. */
      after: string[];
      pipeline: string;
      params: {
        [key: string]: unknown;
      };
      state: components["schemas"]["RunState"];
      done: boolean;
      /** @description Same as state, under the name that workflow callbacks read. */
      status: components["schemas"]["RunState"];
      item_ids: string[];
      progress: number;
      step: string | null;
      attempt: number;
      /**
       * @description `local`: a worker of this service computes the run. `orchestrator`: a workflow computes it.
       * @enum {string}
       */
      backend: "local" | "orchestrator";
      queue: string;
      /** @description Id of the workflow (DAG) that computes this run at the orchestrator. */
      dag_id: string | null;
      /** @description Id of the run at the orchestrator; null until the orchestrator reports it. */
      dag_run_id: string | null;
      cancel_requested: boolean;
      error: {
        code: components["schemas"]["ErrorCode"];
        message: string;
        fields?: {
          [key: string]: string[];
        };
        /** @description The task that failed at the orchestrator, and lines of its log. */
        details?: {
          task: string | null;
          excerpt: string;
        };
      } | null;
      /** @description Seconds per step and other measured numbers. */
      timings: {
        [key: string]: number;
      };
      created_at: string;
      started_at: string | null;
      finished_at: string | null;
      /** @description Seconds from start to end; null before the end, and for a run that never started. */
      execution_time: number | null;
      links: {
        self: string;
        log: string;
        events: string;
        cancel: string;
        /** @description Report of a run over a district or a state. */
        tehsils?: string;
      };
    };
    RunTable: {
      name: string;
      /** @description Item of the block with facts about the table, for example its years; null if there is none. */
      item_id: string | null;
      row_count: number;
      links: {
        json: string;
        csv: string;
      };
    };
    ScopeReport: {
      run_id: string;
      /** @enum {string} */
      scope: "district" | "state";
      /** @description Pipeline that computes each tehsil. */
      pipeline: string;
      /** @description Name of the state. */
      state: string;
      /** @description Name of the district; null for a whole state. */
      district: string | null;
      /**
       * @description State of the run.
       * @enum {string}
       */
      status: "queued" | "running" | "success" | "failed";
      /** @description True if tehsils wait because the run is paused. */
      paused: boolean;
      /** @description Finished share of the work; a tehsil counts by its area. */
      progress: number;
      /** @description Number of tehsils. */
      tehsils: number;
      /** @description Number of tehsils in each state. */
      counts: {
        [key: string]: number;
      };
      /** @description Number of tehsils with a stored result of an earlier run. */
      reused: number;
      /** @description Time until the end. Null before the first tehsil was computed, while nothing is computed, and after the end. */
      remaining: {
        /** @description Seconds, lower bound. */
        low: number;
        /** @description Seconds. */
        expected: number;
        /** @description Seconds, upper bound. */
        high: number;
        /** @description Number of computed tehsils from which the time is estimated. */
        measured: number;
      } | null;
      /** @description Sums over the scenes that the runs of the tehsils read from a platform; null if they read no scenes there, for example because they read them from the service's own sources. */
      scene_usage: {
        /** @description Account with whose rights and quota the scenes were read. */
        account_id: number;
        /** @description Requests for pixels, also those that failed. */
        requests: number;
        /** @description Pixels that were received, summed over bands. */
        pixels: number;
        bytes: number;
        /** @description Label of these requests in Cloud Monitoring; it contains the id of the run. Null for a run over a district or a state: the run of each tehsil has its own label. */
        workload_tag: string | null;
        /** @description Computing time of the requests that succeeded, read from Cloud Monitoring after the run. Null if unknown. For a run over a district or a state: the sum over its `measured` tehsils. */
        eecu_seconds: number | null;
        /** @description True if the computing time is known and later reads found no further time. False before that, and if the last read failed. For a run over a district or a state: true if this holds for each tehsil in the sum, and no tehsil is `missing`. */
        eecu_final: boolean;
        /** @description Reason why the last read found no computing time; null if it found one. For a run over a district or a state: the numbers of tehsils without a time, and the reason of one of them. */
        eecu_reason: string | null;
        /** @description Numbers of tehsils; null for a run of one tehsil. The figures of a run over a district or a state are sums over its tehsils. */
        tehsils: {
          /** @description Tehsils of the run. */
          all: number;
          /** @description Tehsils whose computing time is complete; `eecu_seconds` is their sum. */
          measured: number;
          /** @description Tehsils in `measured` whose time is final. */
          final: number;
          /** @description Tehsils whose time is not known yet, also those that are not computed yet. */
          missing: number;
          /** @description Tehsils whose time stays unknown, because no further read follows or because a run was removed. */
          unknown: number;
          /** @description Tehsils that ended, or whose run ended, without reading scenes at the platform, such as those with a stored result. */
          without: number;
          /** @description Reason why the last read of one tehsil found no computing time; null if there is none. */
          problem: string | null;
        } | null;
      } | null;
      results: {
        district: string;
        /** @description Name of the tehsil. */
        block: string;
        /**
         * @description waiting: not started yet. paused: not started while the run is paused. All other states are states of a run.
         * @enum {string}
         */
        state: "waiting" | "paused" | "queued" | "running" | "success" | "failed";
        /** @description The run that computes the tehsil; null before its start. */
        run_id: string | null;
        /** @description True if the tehsil has the stored result of an earlier run with the same inputs. */
        reused: boolean;
        progress: number;
        /** @description Seconds that the tehsil took; null if it was not computed. */
        seconds: number | null;
        /** @description Computing time of the tehsil at the platform, EECU-seconds; null if there is none, or if it is not known completely. */
        eecu_seconds: number | null;
        error: {
          code: components["schemas"]["ErrorCode"];
          message: string;
        } | null;
        /** @description Address of the run. */
        run: string | null;
      }[];
    };
    SignInForm: {
      /**
       * @description Name of the account.
       * @default
       */
      username: string;
      /**
       * @description Password of the account.
       * @default
       */
      password: string;
      /** @description Page of this service to open afterwards. */
      next?: string;
      /**
       * @description Token against forged requests, from the page of the form.
       * @default
       */
      token: string;
    };
    StacCatalog: {
      /** @constant */
      type: "Catalog";
      stac_version: string;
      id: string;
      title?: string;
      description: string;
      links: ({
        rel: string;
        href: string;
        type?: string;
        title?: string;
      } & {
        [key: string]: unknown;
      })[];
    } & {
      [key: string]: unknown;
    };
    StacChildren: {
      children: components["schemas"]["StacCollection"][];
      links: ({
        rel: string;
        /** Format: uri */
        href: string;
      } & {
        [key: string]: unknown;
      })[];
    };
    StacCollection: {
      /** @constant */
      type: "Collection";
      stac_version: string;
      id: string;
      title?: string;
      description: string;
      license: string;
      keywords?: string[];
      extent: {
        spatial: {
          bbox: [
            number,
            number,
            number,
            number
          ][];
        } & {
          [key: string]: unknown;
        };
        temporal: {
          interval: [
            string | null,
            string | null
          ][];
        } & {
          [key: string]: unknown;
        };
      } & {
        [key: string]: unknown;
      };
      links: ({
        rel: string;
        href: string;
        type?: string;
        title?: string;
      } & {
        [key: string]: unknown;
      })[];
    } & {
      [key: string]: unknown;
    };
    StacCollections: {
      collections: components["schemas"]["StacCollection"][];
      links: ({
        rel: string;
        /** Format: uri */
        href: string;
      } & {
        [key: string]: unknown;
      })[];
      numberMatched: number;
      numberReturned: number;
    };
    StacConformance: {
      conformsTo: string[];
    };
    StacGenerated: {
      Success: string;
    };
    StacItem: {
      /** @constant */
      type: "Feature";
      stac_version: string;
      stac_extensions: string[];
      id: string;
      geometry: {
        type: string;
        coordinates: unknown[];
      } & {
        [key: string]: unknown;
      };
      bbox: [
        number,
        number,
        number,
        number
      ];
      properties: {
        title: string;
        description: string;
        start_datetime: string;
        end_datetime: string;
        datetime: string;
        keywords: string[];
      } & {
        [key: string]: unknown;
      };
      links: ({
        rel: string;
        href: string;
        type?: string;
        title?: string;
      } & {
        [key: string]: unknown;
      })[];
      assets: {
        data: {
          href: string;
          type: string;
          title: string;
          roles: string[];
        } & {
          [key: string]: unknown;
        };
        style?: {
          href: string;
          type: string;
          title: string;
          roles: string[];
        } & {
          [key: string]: unknown;
        };
        thumbnail?: {
          href: string;
          type: string;
          title: string;
          roles: string[];
        } & {
          [key: string]: unknown;
        };
      } & {
        [key: string]: unknown;
      };
      collection: string;
    } & {
      [key: string]: unknown;
    };
    StacItemPage: {
      /** @constant */
      type: "FeatureCollection";
      features: {
        [key: string]: unknown;
      }[];
      links: ({
        rel: string;
        /** Format: uri */
        href: string;
      } & {
        [key: string]: unknown;
      })[];
      /** @description Number of Items on all pages; absent if more than 1,000 Items would be scanned to count them, or if the count takes too long. With `limit=1`, up to 10,000 Items are counted. */
      numberMatched?: number;
      numberReturned: number;
    };
    StacProblem: {
      code: components["schemas"]["ErrorCode"];
      /** @description Problem and remedy; names a wrong parameter. */
      description: string;
      status: number;
      request_id: string;
      errors?: {
        [key: string]: string[];
      };
    } & {
      [key: string]: unknown;
    };
    StacQueryables: {
      $schema: string;
      /** Format: uri */
      $id: string;
      /** @constant */
      type: "object";
      properties: {
        [key: string]: unknown;
      };
    } & {
      [key: string]: unknown;
    };
    States: {
      states: {
        id: number;
        active_status: boolean;
        state_name: string;
        normalized_state_name: string;
      }[];
    };
    Table: {
      name: string;
      /** @description Column whose value identifies a row. */
      key: string;
      columns: {
        name: string;
        /** @enum {string} */
        type: "number" | "text" | "integer" | "list";
        unit?: string;
        description: string;
      }[];
      /** @description Item of the block with facts about the table, for example its years; null if there is none. */
      item_id: string | null;
      /** @description Run that published the table. */
      run_id: string;
      /** @description Version of the table: 1 after its first publication, then one higher after each publication. */
      version: number;
      /** @description Time of the publication, ISO 8601 UTC. */
      published: string;
      rows: {
        [key: string]: (string | number | boolean | null) | (string | number | boolean | null)[];
      }[];
    };
    TableList: {
      tables: {
        name: string;
        /** @description Column whose value identifies a row. */
        key: string;
        columns: {
          name: string;
          /** @enum {string} */
          type: "number" | "text" | "integer" | "list";
          unit?: string;
          description: string;
        }[];
        /** @description Item of the block with facts about the table, for example its years; null if there is none. */
        item_id: string | null;
        /** @description Run that published the table. */
        run_id: string;
        /** @description Version of the table: 1 after its first publication, then one higher after each publication. */
        version: number;
        /** @description Time of the publication, ISO 8601 UTC. */
        published: string;
        row_count: number;
        links: {
          json: string;
          csv: string;
        };
      }[];
    };
    TaskRequest: {
      /** @description `task_id` of the response to a computing request: the id of its run. Also the id of an export to Earth Engine. */
      task_id: string;
    };
    TaskStatus: {
      id: string;
      /**
       * @description State of the run or of the export, in the terms of Earth Engine.
       * @enum {string}
       */
      state: "READY" | "RUNNING" | "COMPLETED" | "FAILED" | "CANCEL_REQUESTED" | "CANCELLED";
      /** @description Name of the computation; for an export, `export of` and the name of the layer. */
      description: string;
      creation_timestamp_ms: number;
      /** @description Time at which the run started; null before its start, and for an export. */
      start_timestamp_ms: number | null;
      /** @description Time at which the run ended; null before its end, and for an export. */
      update_timestamp_ms: number | null;
      error_message: string | null;
      /** @description Address of the run; for an export, of the run that computed the layer. */
      run: string;
      /** @description Path of the asset; only for an export. */
      asset_path?: string;
      /** @description Computing time that Earth Engine reported; only for an export. */
      eecu_seconds?: number | null;
    };
    TaskStatusResponse: {
      Response: components["schemas"]["TaskStatus"];
    };
    TehsilSheets: {
      [key: string]: {
        [key: string]: (string | number | boolean | null) | (string | number | boolean | null)[];
      }[];
    };
    TileJson: {
      /** @constant */
      tilejson: "3.0.0";
      name: string;
      /** @description Addresses of the tiles, with {z}, {x} and {y}. */
      tiles: string[];
      minzoom: number;
      maxzoom: number;
      bounds: number[];
    } & {
      [key: string]: unknown;
    };
    TileMatrixSet: {
      id: string;
      title: string;
      uri: string;
      crs: string;
      tileMatrices: ({
        id: string;
        cellSize: number;
        scaleDenominator: number;
        pointOfOrigin: number[];
        tileWidth: number;
        tileHeight: number;
        matrixWidth: number;
        matrixHeight: number;
      } & {
        [key: string]: unknown;
      })[];
    } & {
      [key: string]: unknown;
    };
    TileMatrixSets: {
      tileMatrixSets: ({
        id: string;
        title: string;
        uri: string;
        links: ({
          rel: string;
          href: string;
          type?: string;
          title?: string;
        } & {
          [key: string]: unknown;
        })[];
      } & {
        [key: string]: unknown;
      })[];
    } & {
      [key: string]: unknown;
    };
    TileSet: {
      title: string;
      /** @enum {string} */
      dataType: "map" | "vector";
      crs: string;
      tileMatrixSetURI: string;
      links: ({
        rel: string;
        href: string;
        type?: string;
        title?: string;
      } & {
        [key: string]: unknown;
      })[];
      boundingBox: {
        lowerLeft: number[];
        upperRight: number[];
        crs: string;
      } & {
        [key: string]: unknown;
      };
      tileMatrixSetLimits: ({
        tileMatrix: string;
        minTileRow: number;
        maxTileRow: number;
        minTileCol: number;
        maxTileCol: number;
      } & {
        [key: string]: unknown;
      })[];
    } & {
      [key: string]: unknown;
    };
    TileSets: {
      tilesets: ({
        title: string;
        /** @enum {string} */
        dataType: "map" | "vector";
        crs: string;
        tileMatrixSetURI: string;
        links: ({
          rel: string;
          href: string;
          type?: string;
          title?: string;
        } & {
          [key: string]: unknown;
        })[];
      } & {
        [key: string]: unknown;
      })[];
      links: ({
        rel: string;
        href: string;
        type?: string;
        title?: string;
      } & {
        [key: string]: unknown;
      })[];
    } & {
      [key: string]: unknown;
    };
    Tokens: {
      access: string;
      refresh: string;
    };
    UnpublishedLayers: {
      Success: string;
      /** @description Removed layers, `workspace:name`: all layers of the same Item. */
      unpublished: string[];
    };
    User: {
      id: number;
      username: string;
      email: string;
      first_name: string;
      last_name: string;
      contact_number: string | null;
      /** @description Id of the organisation. */
      organization: string | null;
      organization_name?: string;
      /** @description Organisation that the user wants to join, until a superuser or a member approves it. */
      requested_organization?: {
        id: string;
        name: string;
      };
      is_active: boolean;
      groups: {
        id: number;
        name: string;
      }[];
      project_details: {
        project_id: number;
        project_name: string;
      }[];
      /** @description May manage users. */
      is_superadmin: boolean;
      age: number | null;
      education_qualification: string | null;
      gender: ("M" | "F" | "O") | null;
      profile_picture: null;
      account_type: ("individual" | "org") | null;
      /** @description May start computations. */
      may_compute: boolean;
    };
    WholeEoAccount: {
      id: number;
      name: string;
      /** @description E-mail of the owner; null if there is none, and for users who may not compute. */
      account_email: string | null;
      /** @description E-mail of the service account in the credentials of this account; null if there is none, and for users who may not compute. */
      service_account_email: string | null;
      /**
       * @description Platform of the account. `local` needs no credentials.
       * @enum {string}
       */
      platform: "local" | "earth_engine";
      /** @description False: the account is disabled, and requests that name it are refused. */
      is_active: boolean;
      is_visible: boolean;
      /**
       * @description Users who may use the account: all, the members of `organization_id`, or only `owner_id`.
       * @enum {string}
       */
      visible_to: "all" | "organization" | "owner";
      owner_id: number | null;
      organization_id: string | null;
      /** @description True: the service stores credentials of this account, encrypted. No response contains them. */
      has_key: boolean;
      /** @description Time until which the platform refuses requests of the account because its quota is spent; it may be in the past. Null if no spent quota is known. */
      exhausted_until: string | null;
    };
    WorkbookRefresh: {
      /** @constant */
      status: "success";
      /** @description Current sheets, ordered by name. */
      sheets: string[];
    };
    WorkflowRunStarted: {
      dag_run_id: string;
      /** @enum {string} */
      state: "queued" | "running" | "success" | "failed";
    };
    WorkflowRunStatus: {
      dag_run_id: string;
      /** @enum {string} */
      state: "queued" | "running" | "success" | "failed";
      done: boolean;
      success: boolean;
      /** @description Reason of the failure, for a run that `dag/run` started. */
      error?: string;
      /** @description With `error`: the task that failed, and lines of its log. */
      details?: {
        task: string | null;
        excerpt: string;
      };
    };
    WorkspaceLayers: {
      result: {
        /** @description Layers that the map server serves, in alphabetical order. */
        valid_layer: string[];
        /** @description Published layers that the map server does not serve. */
        invalid_layers: string[];
      };
    };
    WorkspaceRequest: {
      /** @description Letters, digits, `_`, `.` and `-`; begins with a letter, a digit or `_`. */
      workspace_name: string;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export interface operations {
  getPlaceOutlines: {
    parameters: {
      query?: {
        /** @description Lists the tehsils whose layers overlap this box: west,south,east,north in degrees; default: all. */
        box?: string;
      };
    };
    responses: {
      /** @description Places */
      200: {
        content: {
          "application/json": {
            /** @constant */
            type: "FeatureCollection";
            features: ({
              /** @constant */
              type: "Feature";
              properties: {
                layers: number;
              } & {
                [key: string]: unknown;
              };
            } & {
              [key: string]: unknown;
            })[];
          };
        };
      };
    };
  };
  getOpenApi: {
    responses: {
      /** @description OpenAPI document */
      200: {
        content: {
          "application/json": {
            /** @constant */
            openapi: "3.1.0";
          } & {
            [key: string]: unknown;
          };
        };
      };
    };
  };
  getHealth: {
    responses: {
      /** @description All required parts work */
      200: {
        content: {
          "application/json": components["schemas"]["Health"];
        };
      };
    };
  };
  login: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["LoginRequest"];
      };
    };
    responses: {
      /** @description Tokens and the user */
      200: {
        content: {
          "application/json": components["schemas"]["LoginResponse"];
        };
      };
    };
  };
  refreshToken: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["RefreshRequest"];
      };
    };
    responses: {
      /** @description A new pair */
      200: {
        content: {
          "application/json": components["schemas"]["Tokens"];
        };
      };
    };
  };
  logout: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["LogoutRequest"];
      };
    };
    responses: {
      /** @description Signed out */
      200: {
        content: {
          "application/json": {
            /** @constant */
            success: true;
          };
        };
      };
    };
  };
  changePassword: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangePasswordRequest"];
      };
    };
    responses: {
      /** @description The password is changed */
      200: {
        content: {
          "application/json": {
            detail: string;
          };
        };
      };
    };
  };
  register: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["RegisterRequest"];
        "application/x-www-form-urlencoded": components["schemas"]["RegisterRequest"];
        "multipart/form-data": components["schemas"]["RegisterRequest"];
      };
    };
    responses: {
      /** @description The new account */
      201: {
        content: {
          "application/json": components["schemas"]["RegisteredUser"];
        };
      };
    };
  };
  listOrganizations: {
    parameters: {
      query?: {
        /** @description Ignored: all organisations are listed. */
        app_type?: string;
      };
    };
    responses: {
      /** @description Organisations, ordered by name */
      200: {
        content: {
          "application/json": components["schemas"]["Organizations"];
        };
      };
    };
  };
  forgotPassword: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["ForgotPasswordRequest"];
        "application/x-www-form-urlencoded": components["schemas"]["ForgotPasswordRequest"];
        "multipart/form-data": components["schemas"]["ForgotPasswordRequest"];
      };
    };
    responses: {
      /** @description If the account exists and has an address, the link is sent */
      200: {
        content: {
          "application/json": components["schemas"]["Detail"];
        };
      };
    };
  };
  resetPassword: {
    parameters: {
      path: {
        /** @description Id of a user. */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ResetPasswordRequest"];
      };
    };
    responses: {
      /** @description The password is set */
      200: {
        content: {
          "application/json": components["schemas"]["Detail"];
        };
      };
    };
  };
  listUsers: {
    parameters: {
      query?: {
        /** @description Maximum number of users; default: all. */
        limit?: number;
        /** @description Number of users to skip; default 0. */
        offset?: number;
      };
    };
    responses: {
      /** @description Users, ordered by id */
      200: {
        content: {
          "application/json": components["schemas"]["User"][];
        };
      };
    };
  };
  createUser: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewUserRequest"];
        "application/x-www-form-urlencoded": components["schemas"]["NewUserRequest"];
        "multipart/form-data": components["schemas"]["NewUserRequest"];
      };
    };
    responses: {
      /** @description The user */
      201: {
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
    };
  };
  getUser: {
    parameters: {
      path: {
        /** @description Id of a user. */
        id: number;
      };
    };
    responses: {
      /** @description The user */
      200: {
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
    };
  };
  replaceUser: {
    parameters: {
      path: {
        /** @description Id of a user. */
        id: number;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ChangeUserRequest"];
        "application/x-www-form-urlencoded": components["schemas"]["ChangeUserRequest"];
        "multipart/form-data": components["schemas"]["ChangeUserRequest"];
      };
    };
    responses: {
      /** @description The user */
      200: {
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
    };
  };
  changeUser: {
    parameters: {
      path: {
        /** @description Id of a user. */
        id: number;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ChangeUserRequest"];
        "application/x-www-form-urlencoded": components["schemas"]["ChangeUserRequest"];
        "multipart/form-data": components["schemas"]["ChangeUserRequest"];
      };
    };
    responses: {
      /** @description The user */
      200: {
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
    };
  };
  listAllOrganizations: {
    parameters: {
      query?: {
        /** @description Maximum number of organisations; default 1000. */
        limit?: number;
        /** @description Number of organisations to skip; default 0. */
        offset?: number;
      };
    };
    responses: {
      /** @description Organisations, ordered by name */
      200: {
        content: {
          "application/json": components["schemas"]["Organization"][];
        };
      };
    };
  };
  removeOrganization: {
    parameters: {
      path: {
        /** @description Id of an organisation. */
        id: string;
      };
    };
    responses: {
      /** @description The organisation is removed */
      204: {
      };
    };
  };
  changeOrganization: {
    parameters: {
      path: {
        /** @description Id of an organisation. */
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["OrganizationChange"];
      };
    };
    responses: {
      /** @description The organisation */
      200: {
        content: {
          "application/json": components["schemas"]["Organization"];
        };
      };
    };
  };
  setOrganization: {
    parameters: {
      path: {
        /** @description Id of a user. */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["OrganizationRequest"];
      };
    };
    responses: {
      /** @description The user */
      200: {
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
    };
  };
  setGroup: {
    parameters: {
      path: {
        /** @description Id of a user. */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["GroupRequest"];
      };
    };
    responses: {
      /** @description The user */
      200: {
        content: {
          "application/json": components["schemas"]["ChangedUser"];
        };
      };
    };
  };
  removeGroup: {
    parameters: {
      path: {
        /** @description Id of a user. */
        id: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["GroupRequest"];
      };
    };
    responses: {
      /** @description The user */
      200: {
        content: {
          "application/json": components["schemas"]["ChangedUser"];
        };
      };
    };
  };
  listGroups: {
    responses: {
      /** @description Groups, ordered by id */
      200: {
        content: {
          "application/json": components["schemas"]["Group"][];
        };
      };
    };
  };
  getGroup: {
    parameters: {
      path: {
        /** @description Id of a group: 1, 2, 3. */
        id: number;
      };
    };
    responses: {
      /** @description The group */
      200: {
        content: {
          "application/json": components["schemas"]["Group"];
        };
      };
    };
  };
  myProjects: {
    responses: {
      /** @description Projects, ordered by id */
      200: {
        content: {
          "application/json": components["schemas"]["Project"][];
        };
      };
    };
  };
  listProjects: {
    responses: {
      /** @description Projects, ordered by id */
      200: {
        content: {
          "application/json": components["schemas"]["Project"][];
        };
      };
    };
  };
  createProject: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["ProjectRequest"];
      };
    };
    responses: {
      /** @description The project */
      201: {
        content: {
          "application/json": components["schemas"]["Project"];
        };
      };
    };
  };
  listProjectUsers: {
    parameters: {
      path: {
        /** @description Id of a project. */
        project_pk: number;
      };
    };
    responses: {
      /** @description Members, ordered by id */
      200: {
        content: {
          "application/json": components["schemas"]["ProjectUser"][];
        };
      };
    };
  };
  setProjectUser: {
    parameters: {
      path: {
        /** @description Id of a project. */
        project_pk: number;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ProjectUserRequest"];
      };
    };
    responses: {
      /** @description The member, with its id in the project */
      201: {
        content: {
          "application/json": components["schemas"]["ProjectUser"];
        };
      };
    };
  };
  removeProjectUser: {
    parameters: {
      path: {
        /** @description Id of a project. */
        project_pk: number;
        /** @description Id of the membership (`id` in the list of members), not of the user. */
        id: number;
      };
    };
    responses: {
      /** @description The member is removed */
      204: {
      };
    };
  };
  listEoAccounts: {
    responses: {
      /** @description Accounts that the caller may use, ordered by id */
      200: {
        content: {
          "application/json": components["schemas"]["EoAccount"][];
        };
      };
    };
  };
  createEoAccount: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["NewEoAccount"];
      };
    };
    responses: {
      /** @description The account */
      201: {
        content: {
          "application/json": components["schemas"]["WholeEoAccount"];
        };
      };
    };
  };
  groupEoAccounts: {
    responses: {
      /** @description Accounts by e-mail; accounts without e-mail are under `no_account_email` */
      200: {
        content: {
          "application/json": components["schemas"]["GroupedEoAccounts"];
        };
      };
    };
  };
  changeEoAccount: {
    parameters: {
      path: {
        /** @description Id of an Earth-observation account. */
        id: number;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["EoAccountChange"];
      };
    };
    responses: {
      /** @description The account */
      200: {
        content: {
          "application/json": components["schemas"]["WholeEoAccount"];
        };
      };
    };
  };
  changeApiKeys: {
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ApiKeyRequest"];
        "application/x-www-form-urlencoded": components["schemas"]["ApiKeyRequest"];
        "multipart/form-data": components["schemas"]["ApiKeyRequest"];
      };
    };
    responses: {
      /** @description The deactivated key */
      200: {
        content: {
          "application/json": components["schemas"]["DeactivatedApiKey"];
        };
      };
      /** @description The new key */
      201: {
        content: {
          "application/json": components["schemas"]["MadeApiKey"];
        };
      };
    };
  };
  listApiKeys: {
    responses: {
      /** @description The keys */
      200: {
        content: {
          "application/json": components["schemas"]["ApiKeys"];
        };
      };
    };
  };
  compute_lulc_for_tehsil: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district?: string | null;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description First hydrological year, e.g. 2022: from 1 July 2022 to 30 June 2023. */
          start_year: number | string;
          /** @description Last hydrological year, which is included; the year must have ended. */
          end_year: number | string;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
          /**
           * @description Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.
           * @default tehsil
           */
          scope?: ("tehsil" | "district" | "state") | null;
        } & ((unknown | unknown) & (unknown | unknown | unknown) & (unknown | unknown));
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_lulc_for_district: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district: string;
          /** @description First hydrological year, e.g. 2022: from 1 July 2022 to 30 June 2023. */
          start_year: number | string;
          /** @description Last hydrological year, which is included; the year must have ended. */
          end_year: number | string;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
        } & (unknown | unknown);
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_lulc_for_state: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description First hydrological year, e.g. 2022: from 1 July 2022 to 30 June 2023. */
          start_year: number | string;
          /** @description Last hydrological year, which is included; the year must have ended. */
          end_year: number | string;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
        } & (unknown | unknown);
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_lulc_v3: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district?: string | null;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description First hydrological year, e.g. 2022: from 1 July 2022 to 30 June 2023. */
          start_year: number | string;
          /** @description Last hydrological year, which is included; the year must have ended. */
          end_year: number | string;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
          /**
           * @description Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.
           * @default tehsil
           */
          scope?: ("tehsil" | "district" | "state") | null;
        } & ((unknown | unknown) & (unknown | unknown | unknown) & (unknown | unknown));
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_generate_block_layer: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district?: string | null;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
          /**
           * @description Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.
           * @default tehsil
           */
          scope?: ("tehsil" | "district" | "state") | null;
        } & ((unknown | unknown) & (unknown | unknown | unknown) & (unknown | unknown));
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_generate_mws_layer: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district?: string | null;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
          /**
           * @description Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.
           * @default tehsil
           */
          scope?: ("tehsil" | "district" | "state") | null;
        } & ((unknown | unknown) & (unknown | unknown | unknown) & (unknown | unknown));
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_generate_mws_centroid: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district?: string | null;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
          /**
           * @description Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.
           * @default tehsil
           */
          scope?: ("tehsil" | "district" | "state") | null;
        } & ((unknown | unknown) & (unknown | unknown | unknown) & (unknown | unknown));
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_lulc_vector: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district?: string | null;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description First hydrological year, e.g. 2022: from 1 July 2022 to 30 June 2023. */
          start_year: number | string;
          /** @description Last hydrological year, which is included; the year must have ended. */
          end_year: number | string;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
          /**
           * @description Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.
           * @default tehsil
           */
          scope?: ("tehsil" | "district" | "state") | null;
        } & ((unknown | unknown) & (unknown | unknown | unknown) & (unknown | unknown));
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_generate_ci_layer: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district?: string | null;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description First hydrological year, e.g. 2022: from 1 July 2022 to 30 June 2023. */
          start_year: number | string;
          /** @description Last hydrological year, which is included; the year must have ended. */
          end_year: number | string;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
          /**
           * @description Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.
           * @default tehsil
           */
          scope?: ("tehsil" | "district" | "state") | null;
        } & ((unknown | unknown) & (unknown | unknown | unknown) & (unknown | unknown));
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_change_detection: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district?: string | null;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description First hydrological year, e.g. 2022: from 1 July 2022 to 30 June 2023. */
          start_year: number | string;
          /** @description Last hydrological year, which is included; the year must have ended. */
          end_year: number | string;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
          /**
           * @description Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.
           * @default tehsil
           */
          scope?: ("tehsil" | "district" | "state") | null;
        } & ((unknown | unknown) & (unknown | unknown | unknown) & (unknown | unknown));
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_change_detection_vector: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district?: string | null;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description First hydrological year, e.g. 2022: from 1 July 2022 to 30 June 2023. */
          start_year: number | string;
          /** @description Last hydrological year, which is included; the year must have ended. */
          end_year: number | string;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
          /**
           * @description Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.
           * @default tehsil
           */
          scope?: ("tehsil" | "district" | "state") | null;
        } & ((unknown | unknown) & (unknown | unknown | unknown) & (unknown | unknown));
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_generate_swb: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district?: string | null;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description First hydrological year, e.g. 2022: from 1 July 2022 to 30 June 2023. */
          start_year: number | string;
          /** @description Last hydrological year, which is included; the year must have ended. */
          end_year: number | string;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
          /**
           * @description Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.
           * @default tehsil
           */
          scope?: ("tehsil" | "district" | "state") | null;
        } & ((unknown | unknown) & (unknown | unknown | unknown) & (unknown | unknown));
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_crop_grid: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district?: string | null;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          start_year?: (number | string) | null;
          end_year?: (number | string) | null;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
          /**
           * @description Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.
           * @default tehsil
           */
          scope?: ("tehsil" | "district" | "state") | null;
        } & ((unknown | unknown) & (unknown | unknown | unknown) & (unknown | unknown));
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_generate_ndvi_timeseries: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district?: string | null;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description First hydrological year, e.g. 2022: from 1 July 2022 to 30 June 2023. */
          start_year: number | string;
          /** @description Last hydrological year, which is included; the year must have ended. */
          end_year: number | string;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
          /**
           * @description Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.
           * @default tehsil
           */
          scope?: ("tehsil" | "district" | "state") | null;
        } & ((unknown | unknown) & (unknown | unknown | unknown) & (unknown | unknown));
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_generate_slope_percentage: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district?: string | null;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
          /**
           * @description Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.
           * @default tehsil
           */
          scope?: ("tehsil" | "district" | "state") | null;
        } & ((unknown | unknown) & (unknown | unknown | unknown) & (unknown | unknown));
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_generate_terrain_raster: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district?: string | null;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
          /**
           * @description Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.
           * @default tehsil
           */
          scope?: ("tehsil" | "district" | "state") | null;
        } & ((unknown | unknown) & (unknown | unknown | unknown) & (unknown | unknown));
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_generate_terrain_descriptor: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district?: string | null;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
          /**
           * @description Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.
           * @default tehsil
           */
          scope?: ("tehsil" | "district" | "state") | null;
        } & ((unknown | unknown) & (unknown | unknown | unknown) & (unknown | unknown));
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_generate_mws_connectivity_data: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district?: string | null;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
          /**
           * @description Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.
           * @default tehsil
           */
          scope?: ("tehsil" | "district" | "state") | null;
        } & ((unknown | unknown) & (unknown | unknown | unknown) & (unknown | unknown));
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_terrain_lulc_slope_cluster: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district?: string | null;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description First hydrological year, e.g. 2022: from 1 July 2022 to 30 June 2023. */
          start_year: number | string;
          /** @description Last hydrological year, which is included; the year must have ended. */
          end_year: number | string;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
          /**
           * @description Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.
           * @default tehsil
           */
          scope?: ("tehsil" | "district" | "state") | null;
        } & ((unknown | unknown) & (unknown | unknown | unknown) & (unknown | unknown));
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_terrain_lulc_plain_cluster: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district?: string | null;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description First hydrological year, e.g. 2022: from 1 July 2022 to 30 June 2023. */
          start_year: number | string;
          /** @description Last hydrological year, which is included; the year must have ended. */
          end_year: number | string;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
          /**
           * @description Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.
           * @default tehsil
           */
          scope?: ("tehsil" | "district" | "state") | null;
        } & ((unknown | unknown) & (unknown | unknown | unknown) & (unknown | unknown));
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_stream_order: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district?: string | null;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
          /**
           * @description Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.
           * @default tehsil
           */
          scope?: ("tehsil" | "district" | "state") | null;
        } & ((unknown | unknown) & (unknown | unknown | unknown) & (unknown | unknown));
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_generate_drainage_layer: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district?: string | null;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
          /**
           * @description Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.
           * @default tehsil
           */
          scope?: ("tehsil" | "district" | "state") | null;
        } & ((unknown | unknown) & (unknown | unknown | unknown) & (unknown | unknown));
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_generate_catchment_area_singleflow: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district?: string | null;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
          /**
           * @description Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.
           * @default tehsil
           */
          scope?: ("tehsil" | "district" | "state") | null;
        } & ((unknown | unknown) & (unknown | unknown | unknown) & (unknown | unknown));
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_generate_distance_nearest_DL: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district?: string | null;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
          /**
           * @description Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.
           * @default tehsil
           */
          scope?: ("tehsil" | "district" | "state") | null;
        } & ((unknown | unknown) & (unknown | unknown | unknown) & (unknown | unknown));
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_generate_natural_depression: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district?: string | null;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
          /**
           * @description Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.
           * @default tehsil
           */
          scope?: ("tehsil" | "district" | "state") | null;
        } & ((unknown | unknown) & (unknown | unknown | unknown) & (unknown | unknown));
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  compute_validate: {
    parameters: {
      query?: {
        /** @description true: respond after the run has ended. Also accepted in the body. */
        wait?: "0" | "1" | "true" | "false";
        /** @description true: compute again, even if a stored result has the same inputs. Also accepted in the body. */
        overwrite?: "0" | "1" | "true" | "false";
        /** @description true: first compute required layers that are missing. Also accepted in the body. */
        with_dependencies?: "0" | "1" | "true" | "false";
        /** @description true: compute nothing and store nothing; respond with scenes, bytes, requests, minutes, memory and disk. */
        dry_run?: "0" | "1" | "true" | "false";
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district?: string | null;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description Workspace of the published raster layer, e.g. LULC_level_3. */
          workspace: string;
          /** @description Name of the published raster layer, e.g. LULC_21_22_sample_district_sample_tehsil_level_3. To find both names, look at the address of the asset `data` of its Item: it contains `CoverageId=WORKSPACE:NAME`. */
          layer_name: string;
          /** @description GeoJSON FeatureCollection (longitude, latitude) of points or polygons, each with the property `label`: a class of the legend. At most 20,000 features. The whole body must not exceed the service's limit (1 MiB unless the operator changes it); a larger body gets status 413. Use `npm run validate` for more labels. Equal labels at one place count once. */
          labels: {
            [key: string]: unknown;
          };
          label_property?: string | null;
          /** @description Mapping of values of the layer and of labels to common classes: {"classes": [{"name", "title", "map": [values], "reference": [labels]}], "nodata": {"map": [], "reference": []}}. Default: the classes of the layer; a label is then the value, name or title of a class in `classification:classes` of its Item. Samples whose label is in no class are left out and counted; if none is left, the run fails. */
          legend?: {
            [key: string]: unknown;
          } | null;
          /** @description majority (default): a polygon is one sample, with the most frequent class of its pixels. pixels: each pixel is a sample. */
          polygons?: ("majority" | "pixels") | null;
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
          /**
           * @description Area to compute. tehsil: the named tehsil. district, state: all tehsils of the named district or state, each in a run of its own.
           * @default tehsil
           */
          scope?: ("tehsil" | "district" | "state") | null;
        } & ((unknown | unknown) & (unknown | unknown | unknown) & (unknown | unknown));
      };
    };
    responses: {
      /** @description With wait=true, or if the result exists already: the publications of the run. With dry_run=true: the expected work */
      200: {
        content: {
          "application/json": components["schemas"]["ComputeSuccess"] | components["schemas"]["DryRun"];
        };
      };
      /** @description The run is stored; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["ComputeAccepted"];
        };
      };
    };
  };
  generateLayerInOrder: {
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling of the place directory. */
          state: string;
          /** @description Name of a district of this state. */
          district: string;
          /** @description Name of a tehsil (block) of this district. */
          block?: string | null;
          /** @description The same as block. */
          tehsil?: string | null;
          /** @description Id of the Earth-observation account whose platform and credentials the run uses. */
          eo_account_id?: (number | string) | null;
          /** @description The same as eo_account_id. */
          gee_account_id?: (number | string) | null;
          /** @description First hydrological year, e.g. 2022: from 1 July 2022 to 30 June 2023. */
          start_year: number | string;
          /** @description Last hydrological year, which is included; the year must have ended. */
          end_year: number | string;
          /**
           * @description Map whose layers are computed, each after the layers that it needs.
           * @enum {string}
           */
          map: "map_1" | "map_2_1" | "map_2_2" | "map_3" | "map_4";
          /** @description true: respond after the run has ended. */
          wait?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: compute again, even if a stored result has the same inputs. */
          overwrite?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description true: first compute required layers that are missing. */
          with_dependencies?: (boolean | ("0" | "1" | "true" | "false")) | null;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | null;
        };
      };
    };
    responses: {
      /** @description The runs are stored */
      200: {
        content: {
          "application/json": components["schemas"]["LayerOrder"];
        };
      };
    };
  };
  exportAssetByQuery: {
    parameters: {
      query?: {
        /** @description West, south, east, north in degrees: a list, its JSON text, or four numbers separated by commas. */
        region?: string;
        /** @description Western side of the region, in degrees; with `south`, `east` and `north` instead of `region`. */
        west?: string;
        /** @description Southern side of the region, in degrees. */
        south?: string;
        /** @description Eastern side of the region, in degrees. */
        east?: string;
        /** @description Northern side of the region, in degrees. */
        north?: string;
        /** @description Hydrological year: 2021 is 1 July 2021 to 30 June 2022. Also "2021-2022". Default: the newest year with enough scenes. */
        year?: string;
        /** @description Hydrological year, used if there is no `end_year`. Takes precedence over `year`. */
        start_year?: string;
        /** @description Hydrological year. Takes precedence over `start_year` and `year`. */
        end_year?: string;
        /** @description Name of the classification scheme; default: the first scheme of this service. */
        base_scheme?: string;
        /** @description Sent by orchestrators; ignored. */
        execution_type?: string;
        /** @description Any id that the caller chooses for this request; the response repeats it. */
        execution_id?: string;
        /** @description false: respond at once, with `task_id`. The query takes precedence. */
        wait?: string;
        /** @description false: return a stored result with the same inputs. Default true: compute again, and replace the stored result in one step. */
        overwrite?: string;
      };
    };
    responses: {
      /** @description The published Items */
      200: {
        content: {
          "application/json": components["schemas"]["ExportDone"];
        };
      };
      /** @description With wait=false, or if too many callers wait for the end of a run: the task, whose state export-status returns */
      202: {
        content: {
          "application/json": components["schemas"]["ExportTask"];
        };
      };
    };
  };
  exportAsset: {
    parameters: {
      query?: {
        /** @description false: respond immediately, with `task_id`. Also accepted in the body; default true. */
        wait?: string;
        /** @description false: return a stored result with the same inputs. Also accepted in the body. */
        overwrite?: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description West, south, east, north in degrees: a list, its JSON text, or four numbers separated by commas. */
          region?: ((number | string)[] | string) | null;
          /** @description Western side of the region, in degrees; with `south`, `east` and `north` instead of `region`. */
          west?: number | string | null;
          /** @description Southern side of the region, in degrees. */
          south?: number | string | null;
          /** @description Eastern side of the region, in degrees. */
          east?: number | string | null;
          /** @description Northern side of the region, in degrees. */
          north?: number | string | null;
          /** @description Hydrological year: 2021 is 1 July 2021 to 30 June 2022. Also "2021-2022". Default: the newest year with enough scenes. */
          year?: number | string | null;
          /** @description Hydrological year, used if there is no `end_year`. Takes precedence over `year`. */
          start_year?: number | string | null;
          /** @description Hydrological year. Takes precedence over `start_year` and `year`. */
          end_year?: number | string | null;
          /** @description Name of the classification scheme; default: the first scheme of this service. */
          base_scheme?: string | null;
          /** @description Sent by orchestrators; ignored. */
          execution_type?: unknown;
          /** @description Any id that the caller chooses for this request; the response repeats it. */
          execution_id?: string | number | null;
          /** @description false: respond at once, with `task_id`. The query takes precedence. */
          wait?: boolean | string | null;
          /** @description false: return a stored result with the same inputs. Default true: compute again, and replace the stored result in one step. */
          overwrite?: boolean | string | null;
          /** @description Id of the run that the orchestrator computes. Send it together with `run_token`. */
          job_id?: string | null;
          /** @description Token from the conf of the workflow. A call with a wrong token counts as a call without a token. */
          run_token?: string | null;
          /** @description An object with parameters, or its JSON text. These parameters take precedence over the parameters in the body. */
          conf?: (({
            /** @description West, south, east, north in degrees: a list, its JSON text, or four numbers separated by commas. */
            region?: ((number | string)[] | string) | null;
            /** @description Western side of the region, in degrees; with `south`, `east` and `north` instead of `region`. */
            west?: number | string | null;
            /** @description Southern side of the region, in degrees. */
            south?: number | string | null;
            /** @description Eastern side of the region, in degrees. */
            east?: number | string | null;
            /** @description Northern side of the region, in degrees. */
            north?: number | string | null;
            /** @description Hydrological year: 2021 is 1 July 2021 to 30 June 2022. Also "2021-2022". Default: the newest year with enough scenes. */
            year?: number | string | null;
            /** @description Hydrological year, used if there is no `end_year`. Takes precedence over `year`. */
            start_year?: number | string | null;
            /** @description Hydrological year. Takes precedence over `start_year` and `year`. */
            end_year?: number | string | null;
            /** @description Name of the classification scheme; default: the first scheme of this service. */
            base_scheme?: string | null;
            /** @description Sent by orchestrators; ignored. */
            execution_type?: unknown;
            /** @description Any id that the caller chooses for this request; the response repeats it. */
            execution_id?: string | number | null;
            /** @description false: respond at once, with `task_id`. The query takes precedence. */
            wait?: boolean | string | null;
            /** @description false: return a stored result with the same inputs. Default true: compute again, and replace the stored result in one step. */
            overwrite?: boolean | string | null;
            /** @description Id of the run that the orchestrator computes. Send it together with `run_token`. */
            job_id?: string | null;
            /** @description Token from the conf of the workflow. A call with a wrong token counts as a call without a token. */
            run_token?: string | null;
          } & {
            [key: string]: unknown;
          }) | string) | null;
        } & {
          [key: string]: unknown;
        };
      };
    };
    responses: {
      /** @description The published Items */
      200: {
        content: {
          "application/json": components["schemas"]["ExportDone"];
        };
      };
      /** @description With wait=false, or if too many callers wait for the end of a run: the task, whose state export-status returns */
      202: {
        content: {
          "application/json": components["schemas"]["ExportTask"];
        };
      };
    };
  };
  exportStatus: {
    parameters: {
      query?: {
        /** @description Id of the task, from the response of `export-asset`; takes precedence over `asset_id`. */
        task_id?: string;
        /** @description Id of an asset. The response states whether the asset is published. */
        asset_id?: string;
      };
    };
    responses: {
      /** @description The task, or the asset */
      200: {
        content: {
          "application/json": components["schemas"]["ExportStatus"] | components["schemas"]["AssetStatus"];
        };
      };
    };
  };
  startJob: {
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description Operation of the job. The only one is `export`, which calls export-asset.
           * @enum {string}
           */
          op: "export";
          /** @description Parameters of export-asset. */
          params: {
            [key: string]: unknown;
          };
        };
      };
    };
    responses: {
      /** @description The job */
      202: {
        content: {
          "application/json": components["schemas"]["Job"];
        };
      };
    };
  };
  getJob: {
    parameters: {
      path: {
        /** @description Id of the job, from the response of `POST /api/jobs`. */
        id: string;
      };
    };
    responses: {
      /** @description The job */
      200: {
        content: {
          "application/json": components["schemas"]["Job"];
        };
      };
    };
  };
  postJobResult: {
    parameters: {
      path: {
        /** @description Secret id of the job: the `run_id` that its workflow gets in its conf. */
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          ok: true;
          /** @description Response of export-asset, with at least one STAC Item. */
          result: {
            [key: string]: unknown;
          };
        } | {
          /** @constant */
          ok: false;
          /** @description Reason of the failure. */
          error: string;
        };
      };
    };
    responses: {
      /** @description The job */
      200: {
        content: {
          "application/json": components["schemas"]["Job"];
        };
      };
    };
  };
  listRuns: {
    parameters: {
      query?: {
        /** @description Runs per page, 1-100; default 50. */
        limit?: number;
        /** @description Number of runs to skip; default 0. */
        offset?: number;
        /** @description Only runs in this state; default: all. */
        state?: components["schemas"]["RunState"];
        /** @description Id of a run: only the runs that it requested, such as the tehsils of a run over a district. `any`: all runs. Default: only runs that a client requested. */
        parent?: string;
        /** @description Form of the response: `html` for the page, `json` for the data. Takes precedence over `Accept`. */
        format?: "html" | "json";
        /** @description Language of the page; default: by `Accept-Language`, otherwise English. */
        lang?: "en" | "hi";
      };
    };
    responses: {
      /** @description A page of runs */
      200: {
        content: {
          "application/json": components["schemas"]["RunPage"];
        };
      };
    };
  };
  getRun: {
    parameters: {
      query?: {
        /** @description Form of the response: `html` for the page, `json` for the data. Takes precedence over `Accept`. */
        format?: "html" | "json";
        /** @description Language of the page; default: by `Accept-Language`, otherwise English. */
        lang?: "en" | "hi";
      };
      path: {
        /** @description Id of the run, from the response of the POST that started it. */
        id: string;
      };
    };
    responses: {
      /** @description The run */
      200: {
        content: {
          "application/json": components["schemas"]["Run"];
        };
      };
    };
  };
  getRunLog: {
    parameters: {
      query?: {
        /** @description Default: according to Accept, otherwise text. */
        format?: "text" | "json";
      };
      path: {
        /** @description Id of the run, from the response of the POST that started it. */
        id: string;
      };
    };
    responses: {
      /** @description The log */
      200: {
        content: {
          "application/json": components["schemas"]["RunLog"];
        };
      };
    };
  };
  followRun: {
    parameters: {
      query?: {
        /** @description Number of the last event that the client has; only later events are sent. */
        last_event_id?: number;
      };
      path: {
        /** @description Id of the run, from the response of the POST that started it. */
        id: string;
      };
    };
    responses: {
      /** @description The stream */
      200: {
        content: {
          "text/event-stream": unknown;
        };
      };
      /** @description The run has ended and the client has all its events */
      204: {
      };
    };
  };
  cancelRun: {
    parameters: {
      path: {
        /** @description Id of the run, from the response of the POST that started it. */
        id: string;
      };
    };
    responses: {
      /** @description The ended run */
      200: {
        content: {
          "application/json": components["schemas"]["Run"];
        };
      };
      /** @description The cancellation is requested */
      202: {
        content: {
          "application/json": components["schemas"]["Run"];
        };
      };
    };
  };
  getRunTehsils: {
    parameters: {
      path: {
        /** @description Id of the run, from the response of the POST that started it. */
        id: string;
      };
    };
    responses: {
      /** @description The report */
      200: {
        content: {
          "application/json": components["schemas"]["ScopeReport"];
        };
      };
    };
  };
  pauseRun: {
    parameters: {
      path: {
        /** @description Id of the run, from the response of the POST that started it. */
        id: string;
      };
    };
    responses: {
      /** @description The run */
      200: {
        content: {
          "application/json": components["schemas"]["RunSummary"];
        };
      };
    };
  };
  resumeRun: {
    parameters: {
      path: {
        /** @description Id of the run, from the response of the POST that started it. */
        id: string;
      };
    };
    responses: {
      /** @description The run */
      200: {
        content: {
          "application/json": components["schemas"]["RunSummary"];
        };
      };
    };
  };
  retryRun: {
    parameters: {
      path: {
        /** @description Id of the run, from the response of the POST that started it. */
        id: string;
      };
    };
    responses: {
      /** @description The same run */
      200: {
        content: {
          "application/json": components["schemas"]["RunSummary"];
        };
      };
      /** @description A new run; Location is its address */
      202: {
        content: {
          "application/json": components["schemas"]["RunSummary"];
        };
      };
    };
  };
  earthEngineTaskStatus: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["TaskRequest"];
        "application/x-www-form-urlencoded": components["schemas"]["TaskRequest"];
        "multipart/form-data": components["schemas"]["TaskRequest"];
      };
    };
    responses: {
      /** @description The state */
      200: {
        content: {
          "application/json": components["schemas"]["TaskStatusResponse"];
        };
      };
    };
  };
  fetchEarthEngineLayer: {
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling with the same slug. */
          state: string;
          /** @description Name of a district of this state. */
          district: string;
          /** @description Name of a tehsil of this district; required unless `block` is sent. */
          tehsil?: string;
          /** @description The same as `tehsil`. */
          block?: string;
        };
        "application/x-www-form-urlencoded": {
          /** @description Name of the state, in any spelling with the same slug. */
          state: string;
          /** @description Name of a district of this state. */
          district: string;
          /** @description Name of a tehsil of this district; required unless `block` is sent. */
          tehsil?: string;
          /** @description The same as `tehsil`. */
          block?: string;
        };
        "multipart/form-data": {
          /** @description Name of the state, in any spelling with the same slug. */
          state: string;
          /** @description Name of a district of this state. */
          district: string;
          /** @description Name of a tehsil of this district; required unless `block` is sent. */
          tehsil?: string;
          /** @description The same as `tehsil`. */
          block?: string;
        };
      };
    };
    responses: {
      /** @description Exported layers */
      200: {
        content: {
          "application/json": components["schemas"]["EarthEngineAssets"];
        };
      };
    };
  };
  listRegions: {
    parameters: {
      query?: {
        /** @description Form of the response: `html` for the page, `json` for the data. Takes precedence over `Accept`. */
        format?: "html" | "json";
        /** @description Language of the page; default: by `Accept-Language`, otherwise English. */
        lang?: "en" | "hi";
        /** @description Lists regions older than this run. */
        before?: string;
        /** @description Page number for the title of the HTML page; `before` selects the regions. */
        page?: number;
      };
    };
    responses: {
      /** @description A page of regions */
      200: {
        content: {
          "application/json": components["schemas"]["RegionPage"];
        };
      };
    };
  };
  getRegion: {
    parameters: {
      path: {
        /** @description Name of the region, such as region_0123456789abcdef. */
        id: string;
      };
    };
    responses: {
      /** @description The region */
      200: {
        content: {
          "application/json": components["schemas"]["Region"];
        };
      };
    };
  };
  removeRegion: {
    parameters: {
      path: {
        /** @description Name of the region, such as region_0123456789abcdef. */
        id: string;
      };
    };
    responses: {
      /** @description The region is removed */
      204: {
      };
    };
  };
  getCatalog: {
    parameters: {
      query?: {
        /** @description Form of the response: `html` for the page, `json` for the data. Takes precedence over `Accept`. */
        format?: "html" | "json";
        /** @description Language of the page; default: by `Accept-Language`, otherwise English. */
        lang?: "en" | "hi";
        /** @description Page of the HTML list, from 1; JSON responses contain the whole list. */
        page?: number;
      };
    };
    responses: {
      /** @description Catalog */
      200: {
        content: {
          "application/json": components["schemas"]["StacCatalog"];
        };
      };
    };
  };
  getStateCollection: {
    parameters: {
      query?: {
        /** @description Form of the response: `html` for the page, `json` for the data. Takes precedence over `Accept`. */
        format?: "html" | "json";
        /** @description Language of the page; default: by `Accept-Language`, otherwise English. */
        lang?: "en" | "hi";
        /** @description Page of the HTML list, from 1; JSON responses contain the whole list. */
        page?: number;
      };
      path: {
        /** @description Slug of the state, as in the links of the catalogue. */
        state: string;
      };
    };
    responses: {
      /** @description Collection */
      200: {
        content: {
          "application/json": components["schemas"]["StacCollection"];
        };
      };
    };
  };
  getDistrictCollection: {
    parameters: {
      query?: {
        /** @description Form of the response: `html` for the page, `json` for the data. Takes precedence over `Accept`. */
        format?: "html" | "json";
        /** @description Language of the page; default: by `Accept-Language`, otherwise English. */
        lang?: "en" | "hi";
        /** @description Page of the HTML list, from 1; JSON responses contain the whole list. */
        page?: number;
      };
      path: {
        /** @description Slug of the state, as in the links of the catalogue. */
        state: string;
        /** @description Slug of the district. */
        district: string;
      };
    };
    responses: {
      /** @description Collection */
      200: {
        content: {
          "application/json": components["schemas"]["StacCollection"];
        };
      };
    };
  };
  getBlockCollection: {
    parameters: {
      query?: {
        /** @description Form of the response: `html` for the page, `json` for the data. Takes precedence over `Accept`. */
        format?: "html" | "json";
        /** @description Language of the page; default: by `Accept-Language`, otherwise English. */
        lang?: "en" | "hi";
        /** @description Page of the HTML list, from 1; JSON responses contain the whole list. */
        page?: number;
      };
      path: {
        /** @description Slug of the state, as in the links of the catalogue. */
        state: string;
        /** @description Slug of the district. */
        district: string;
        /** @description Slug of the block (tehsil). */
        block: string;
      };
    };
    responses: {
      /** @description Collection */
      200: {
        content: {
          "application/json": components["schemas"]["StacCollection"];
        };
      };
    };
  };
  getItem: {
    parameters: {
      query?: {
        /** @description Form of the response: `html` for the page, `json` for the data. Takes precedence over `Accept`. */
        format?: "html" | "json";
        /** @description Language of the page; default: by `Accept-Language`, otherwise English. */
        lang?: "en" | "hi";
        /** @description Value of a class. The page shows only this class in the picture. The JSON document ignores this parameter. */
        class?: number;
      };
      path: {
        /** @description Slug of the state, as in the links of the catalogue. */
        state: string;
        /** @description Slug of the district. */
        district: string;
        /** @description Slug of the block (tehsil). */
        block: string;
        /** @description Id of the Item. */
        item: string;
      };
    };
    responses: {
      /** @description Item */
      200: {
        content: {
          "application/geo+json": components["schemas"]["StacItem"];
        };
      };
    };
  };
  getStacApi: {
    responses: {
      /** @description Landing page */
      200: {
        content: {
          "application/json": components["schemas"]["StacCatalog"];
        };
      };
    };
  };
  getStacConformance: {
    responses: {
      /** @description Conformance classes */
      200: {
        content: {
          "application/json": components["schemas"]["StacConformance"];
        };
      };
    };
  };
  getStacServiceDescription: {
    responses: {
      /** @description OpenAPI document */
      200: {
        content: {
          "application/vnd.oai.openapi+json;version=3.1": {
            /** @constant */
            openapi: "3.1.0";
          } & {
            [key: string]: unknown;
          };
        };
      };
    };
  };
  listStacCollections: {
    parameters: {
      query?: {
        /** @description Collections per page, default 200; a number above 500 counts as 500. */
        limit?: number;
        /** @description west,south,east,north in degrees; finds Collections whose extent intersects the box. */
        bbox?: string;
        /** @description A time or an interval; finds Collections whose period overlaps it. */
        datetime?: string;
        /** @description Ids of Collections, separated by commas. */
        ids?: string;
        /** @description Words separated by spaces; the id must contain each of them. */
        q?: string;
        /** @description Start of the page, from the link `next` of the previous page. */
        token?: string;
      };
    };
    responses: {
      /** @description A page of Collections */
      200: {
        content: {
          "application/json": components["schemas"]["StacCollections"];
        };
      };
    };
  };
  getStacCollection: {
    parameters: {
      path: {
        /** @description Id of the Collection. */
        collection_id: string;
      };
    };
    responses: {
      /** @description Collection */
      200: {
        content: {
          "application/json": components["schemas"]["StacCollection"];
        };
      };
    };
  };
  getStacChildren: {
    responses: {
      /** @description Collections */
      200: {
        content: {
          "application/json": components["schemas"]["StacChildren"];
        };
      };
    };
  };
  getStacCollectionChildren: {
    parameters: {
      path: {
        /** @description Id of the Collection. */
        collection_id: string;
      };
    };
    responses: {
      /** @description Collections */
      200: {
        content: {
          "application/json": components["schemas"]["StacChildren"];
        };
      };
    };
  };
  listStacItems: {
    parameters: {
      query?: {
        /** @description Items per page, default 100; a number above 10000 counts as 10000, and a page ends at 8 MiB. */
        limit?: number;
        /** @description west,south,east,north in degrees; if west is greater than east, the box crosses the antimeridian. */
        bbox?: string;
        /** @description A time or an interval (2023-07-01T00:00:00Z/..); finds Items whose data overlap it, from start to end. */
        datetime?: string;
        /** @description Names of fields, with + (ascending) or - (descending) before each; default: the newest data first. */
        sortby?: string;
        /** @description Names of the members to send; a - before a name leaves the member out. */
        fields?: string;
        /** @description A filter in CQL2. A filter has at most 500 nodes, of which 100 may be text, spatial or temporal operators: each operator, property, geometry, interval and list counts as a node, and ten texts, numbers, booleans or instants count as one. */
        filter?: string;
        /** @description Language of `filter`; default: cql2-text in a query, cql2-json in a body. */
        "filter-lang"?: "cql2-text" | "cql2-json";
        /** @description Reference system of coordinates in `filter`: longitude, latitude. */
        "filter-crs"?: "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
        /** @description Conditions on properties: {"gsd":{"lte":10}}; the limits of a filter apply to `query` and `filter` together. */
        query?: string;
        /** @description Start of the page, from the link `next` of the previous page. */
        token?: string;
      };
      path: {
        /** @description Id of the Collection. */
        collection_id: string;
      };
    };
    responses: {
      /** @description A page of Items */
      200: {
        content: {
          "application/geo+json": components["schemas"]["StacItemPage"];
        };
      };
    };
  };
  getStacItem: {
    parameters: {
      path: {
        /** @description Id of the Collection. */
        collection_id: string;
        /** @description Id of the Item. */
        item_id: string;
      };
    };
    responses: {
      /** @description Item */
      200: {
        content: {
          "application/geo+json": components["schemas"]["StacItem"];
        };
      };
    };
  };
  searchStacItems: {
    parameters: {
      query?: {
        /** @description Items per page, default 100; a number above 10000 counts as 10000, and a page ends at 8 MiB. */
        limit?: number;
        /** @description west,south,east,north in degrees; if west is greater than east, the box crosses the antimeridian. */
        bbox?: string;
        /** @description A time or an interval (2023-07-01T00:00:00Z/..); finds Items whose data overlap it, from start to end. */
        datetime?: string;
        /** @description Names of fields, with + (ascending) or - (descending) before each; default: the newest data first. */
        sortby?: string;
        /** @description Names of the members to send; a - before a name leaves the member out. */
        fields?: string;
        /** @description A filter in CQL2. A filter has at most 500 nodes, of which 100 may be text, spatial or temporal operators: each operator, property, geometry, interval and list counts as a node, and ten texts, numbers, booleans or instants count as one. */
        filter?: string;
        /** @description Language of `filter`; default: cql2-text in a query, cql2-json in a body. */
        "filter-lang"?: "cql2-text" | "cql2-json";
        /** @description Reference system of coordinates in `filter`: longitude, latitude. */
        "filter-crs"?: "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
        /** @description Conditions on properties: {"gsd":{"lte":10}}; the limits of a filter apply to `query` and `filter` together. */
        query?: string;
        /** @description Start of the page, from the link `next` of the previous page. */
        token?: string;
        /** @description A GeoJSON geometry; finds Items that intersect it. */
        intersects?: string;
        /** @description Ids of Items, separated by commas; an empty text is no condition. */
        ids?: string;
        /** @description Ids of Collections, separated by commas; an empty text is no condition. */
        collections?: string;
      };
    };
    responses: {
      /** @description A page of Items */
      200: {
        content: {
          "application/geo+json": components["schemas"]["StacItemPage"];
        };
      };
    };
  };
  searchStacItemsByBody: {
    requestBody?: {
      content: {
        "application/json": {
          /** @description Items per page, default 100; a number above 10000 counts as 10000, and a page ends at 8 MiB. */
          limit?: number;
          /** @description west,south,east,north in degrees; if west is greater than east, the box crosses the antimeridian. */
          bbox?: number[];
          /** @description A time or an interval (2023-07-01T00:00:00Z/..); finds Items whose data overlap it, from start to end. */
          datetime?: string;
          /** @description A GeoJSON geometry; finds Items that intersect it. */
          intersects?: {
            type: string;
          } & {
            [key: string]: unknown;
          };
          /** @description Ids of Items as a list, or as one text separated by commas; an empty list finds nothing, an empty text is no condition. */
          ids?: string | string[];
          /** @description Ids of Collections as a list, or as one text separated by commas; an empty list finds nothing, an empty text is no condition. */
          collections?: string | string[];
          /** @description Fields to sort by, each with its direction; default: the newest data first. */
          sortby?: {
            field: string;
            /**
             * @default asc
             * @enum {string}
             */
            direction?: "asc" | "desc";
          }[];
          /** @description Names of the members to send (`include`) and of the members to leave out (`exclude`). */
          fields?: {
            include?: string[] | null;
            exclude?: string[] | null;
          };
          /** @description A filter in CQL2. A filter has at most 500 nodes, of which 100 may be text, spatial or temporal operators: each operator, property, geometry, interval and list counts as a node, and ten texts, numbers, booleans or instants count as one. */
          filter?: unknown;
          /**
           * @description Language of `filter`; default: cql2-text in a query, cql2-json in a body.
           * @enum {string}
           */
          "filter-lang"?: "cql2-text" | "cql2-json";
          /**
           * @description Reference system of coordinates in `filter`: longitude, latitude.
           * @constant
           */
          "filter-crs"?: "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
          /** @description Conditions on properties: {"gsd":{"lte":10}}; the limits of a filter apply to `query` and `filter` together. */
          query?: {
            [key: string]: unknown;
          };
          /** @description Start of the page, from the link `next` of the previous page. */
          token?: string;
        };
      };
    };
    responses: {
      /** @description A page of Items */
      200: {
        content: {
          "application/geo+json": components["schemas"]["StacItemPage"];
        };
      };
    };
  };
  getStacQueryables: {
    responses: {
      /** @description JSON Schema of the queryables */
      200: {
        content: {
          "application/schema+json": components["schemas"]["StacQueryables"];
        };
      };
    };
  };
  getStacCollectionQueryables: {
    parameters: {
      path: {
        /** @description Id of the Collection. */
        collection_id: string;
      };
    };
    responses: {
      /** @description JSON Schema of the queryables */
      200: {
        content: {
          "application/schema+json": components["schemas"]["StacQueryables"];
        };
      };
    };
  };
  getStacCatalog: {
    parameters: {
      query?: {
        /** @description Name of a state, in any spelling with the same slug; without it, the root is returned. */
        state?: string;
        /** @description Name of a district of this state. */
        district?: string;
        /** @description Name of a block (tehsil) of this district. */
        block?: string;
        /** @description The same as `block`. */
        tehsil?: string;
      };
    };
    responses: {
      /** @description Catalog or Collection */
      200: {
        content: {
          "application/geo+json": components["schemas"]["StacCatalog"] | components["schemas"]["StacCollection"];
        };
      };
    };
  };
  generateStacCollection: {
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state. Required. */
          state?: unknown;
          /** @description Name of the district. Required. */
          district?: unknown;
          /** @description Name of the block (tehsil). Required unless `tehsil` is sent. */
          block?: unknown;
          /** @description The same as `block`. */
          tehsil?: unknown;
          /** @description Name of the layer: the end of its Item's id. Required. */
          layer_name?: unknown;
          /** @description `raster` or `vector`. Required. */
          layer_type?: unknown;
          /** @description Year of a yearly layer, as number or text; default: any year. */
          start_year?: unknown;
          /** @description Accepted and ignored: the documents always describe published layers. */
          end_year?: unknown;
          /** @description Accepted and ignored: the documents always describe published layers. */
          upload_to_s3?: unknown;
          /** @description Accepted and ignored: the documents always describe published layers. */
          overwrite?: unknown;
          /** @description Accepted and ignored: the documents always describe published layers. */
          overwrite_metadata?: unknown;
        } & {
          [key: string]: unknown;
        };
      };
    };
    responses: {
      /** @description The documents exist */
      200: {
        content: {
          "application/json": components["schemas"]["StacGenerated"];
        };
      };
    };
  };
  getAsset: {
    parameters: {
      query?: {
        /** @description Value of a class: a picture of classes (PNG) is sent with this class alone. */
        class?: number;
      };
      path: {
        /** @description Id of the run that published the file. */
        run: string;
        /** @description Number of the attempt of the run, as in the addresses of an Item. */
        token: string;
        /** @description Name of the file. */
        name: string;
      };
    };
    responses: {
      /** @description The file */
      200: {
        content: {
          "application/geo+json": {
            [key: string]: unknown;
          };
          "application/json": {
            [key: string]: unknown;
          };
        };
      };
    };
  };
  getLatestAsset: {
    parameters: {
      path: {
        /** @description Slug of the state, as in the links of the catalogue. */
        state: string;
        /** @description Slug of the district. */
        district: string;
        /** @description Slug of the block (tehsil). */
        block: string;
        /** @description Id of the Item. */
        item: string;
        /** @description Key of the asset in the Item. */
        asset: string;
      };
    };
    responses: {
      /** @description The file */
      200: {
        content: {
          "application/geo+json": {
            [key: string]: unknown;
          };
          "application/json": {
            [key: string]: unknown;
          };
        };
      };
    };
  };
  listTables: {
    parameters: {
      query?: {
        /** @description Form of the response: `html` for the page, `json` for the data. Takes precedence over `Accept`. */
        format?: "html" | "json";
        /** @description Language of the page; default: by `Accept-Language`, otherwise English. */
        lang?: "en" | "hi";
      };
      path: {
        /** @description Slug of the state, as in the links of the catalogue. */
        state: string;
        /** @description Slug of the district. */
        district: string;
        /** @description Slug of the block (tehsil). */
        block: string;
      };
    };
    responses: {
      /** @description Tables by name */
      200: {
        content: {
          "application/json": components["schemas"]["TableList"];
        };
      };
    };
  };
  getTable: {
    parameters: {
      query?: {
        /** @description Default: json or html according to `Accept`; json if the request has no `Accept`. */
        format?: "json" | "csv" | "html";
        /** @description Language of the page; default: by `Accept-Language`, otherwise English. */
        lang?: "en" | "hi";
      };
      path: {
        /** @description Slug of the state, as in the links of the catalogue. */
        state: string;
        /** @description Slug of the district. */
        district: string;
        /** @description Slug of the block (tehsil). */
        block: string;
        /** @description Name of the table, e.g. croppingIntensity_annual. */
        name: string;
      };
    };
    responses: {
      /** @description The table */
      200: {
        content: {
          "application/json": components["schemas"]["Table"];
        };
      };
    };
  };
  importFile: {
    parameters: {
      query?: {
        /** @description true: everything is checked, nothing is stored. It may also be sent as a field of the form. */
        dry_run?: "0" | "1" | "true" | "false";
      };
      path: {
        /** @description places, mws, villages, workbook, series or layer */
        kind: string;
      };
    };
    requestBody: {
      content: {
        "multipart/form-data": components["schemas"]["ImportBody"];
      };
    };
    responses: {
      /** @description Stored and skipped rows */
      200: {
        content: {
          "application/json": components["schemas"]["ImportReport"];
        };
      };
    };
  };
  uploadKml: {
    requestBody: {
      content: {
        "multipart/form-data": components["schemas"]["KmlBody"];
      };
    };
    responses: {
      /** @description Stored and skipped placemarks */
      201: {
        content: {
          "application/json": components["schemas"]["KmlReport"];
        };
      };
    };
  };
  getLayer: {
    parameters: {
      query: {
        /** @description Protocol; with WCS or WMS, send the parameters of that protocol. */
        service: "WFS" | "WCS" | "WMS";
        /** @description Version of the protocol: 1.0.0, 1.1.0 or 2.0.0 of WFS. */
        version?: string;
        /** @description Name of the request: `GetFeature`, `DescribeFeatureType` or `GetCapabilities` of WFS. */
        request: string;
        /** @description Name of a vector layer, {workspace}:{layer}; required by GetFeature (GetCoverage needs CoverageId). `typeNames` is accepted too. */
        typeName?: string;
        /** @description Name of a raster layer, {workspace}:{layer}; required by GetCoverage of WCS (GetFeature needs typeName). */
        CoverageId?: string;
        /** @description Format of features: `application/json`, `csv`, `SHAPE-ZIP` or GML, such as `text/xml; subtype=gml/3.1.1`; default: GML of the version. */
        outputFormat?: string;
        /** @description Coordinate system of features: EPSG:4326, CRS:84 or EPSG:3857. GeoJSON is always lon/lat. */
        srsName?: string;
        /** @description Box of features: four numbers and a coordinate system. Without a coordinate system, the order is lon,lat in 1.0.0, and lat,lon in later versions. */
        bbox?: string;
        /** @description Filter of features, ECQL. It cannot be sent together with `bbox` or `FILTER`. */
        CQL_FILTER?: string;
        /** @description Filter of features, XML: BBOX, comparisons, ids, And, Or, Not. */
        FILTER?: string;
        /** @description Columns of the response, separated by commas. */
        propertyName?: string;
        /** @description Columns by which features are sorted, each with `A` or `D`. */
        sortBy?: string;
        /** @description Maximum number of features; `maxFeatures` is accepted too. */
        count?: number;
        /** @description Number of features to leave out at the start. */
        startIndex?: number;
        /** @description `hits` counts features without sending them. */
        resultType?: "results" | "hits";
        /** @description Id of a run. The response is then the version that this run published, not the newest version. */
        run?: string;
      };
      path: {
        /** @description Workspace of the layer, as in the hrefs of its Item. */
        workspace: string;
      };
    };
    responses: {
      /** @description FeatureCollection, lon/lat, or another response of the service */
      200: {
        content: {
          "application/geo+json": components["schemas"]["OgcFeatures"] | components["schemas"]["OgcLegend"];
          "application/json": components["schemas"]["OgcFeatures"] | components["schemas"]["OgcLegend"];
        };
      };
    };
  };
  getCoverage: {
    parameters: {
      query: {
        /** @description Protocol: WCS. */
        service: "WCS";
        /** @description Version of the protocol. */
        version: "2.0.1";
        /** @description Name of the request. */
        request: "GetCoverage";
        /** @description Name of a raster layer, {workspace}:{layer}. */
        CoverageId: string;
        /** @description Format of the response: only GeoTIFF. Optional. */
        format?: "geotiff" | "image/tiff";
        /** @description Accepted and ignored: the file is always compressed. */
        compression?: string;
        /** @description Accepted and ignored: the file is always tiled. */
        tiling?: string;
        /** @description Accepted and ignored. */
        tileHeight?: number;
        /** @description Accepted and ignored. */
        tileWidth?: number;
        /** @description Id of a run. The response is then the version that this run published, not the newest version. */
        run?: string;
      };
      path: {
        /** @description Workspace of the layer, as in the hrefs of its Item. */
        workspace: string;
      };
    };
    responses: {
      /** @description The coverage, or another response of the service */
      200: {
        content: {
          "application/geo+json": components["schemas"]["OgcFeatures"] | components["schemas"]["OgcLegend"];
          "application/json": components["schemas"]["OgcFeatures"] | components["schemas"]["OgcLegend"];
        };
      };
    };
  };
  getMapService: {
    parameters: {
      query?: {
        /** @description Protocol; required at the address `ows`. */
        service?: "WFS" | "WCS" | "WMS";
        /** @description Version of the protocol; default: the newest version. */
        version?: string;
        /** @description Name of the request, such as `GetCapabilities`, `GetFeature`, `GetCoverage` or `GetMap`. */
        request?: string;
      };
      path: {
        /** @description `ows`, `wfs`, `wcs` or `wms`. With `ows`, the parameter `service` selects the service. */
        service: string;
      };
    };
    responses: {
      /** @description The response in the form of the protocol */
      200: {
        content: {
          "application/geo+json": components["schemas"]["OgcFeatures"] | components["schemas"]["OgcLegend"];
          "application/json": components["schemas"]["OgcFeatures"] | components["schemas"]["OgcLegend"];
        };
      };
    };
  };
  getWorkspaceService: {
    parameters: {
      query?: {
        /** @description Protocol; required at the address `ows`. */
        service?: "WFS" | "WCS" | "WMS";
        /** @description Version of the protocol; default: the newest version. */
        version?: string;
        /** @description Name of the request, such as `GetCapabilities`, `GetFeature`, `GetCoverage` or `GetMap`. */
        request?: string;
      };
      path: {
        /** @description Workspace of the layers, as in the hrefs of their Items. */
        workspace: string;
        /** @description `ows`, `wfs`, `wcs` or `wms`. With `ows`, the parameter `service` selects the service. */
        service: string;
      };
    };
    responses: {
      /** @description The response in the form of the protocol */
      200: {
        content: {
          "application/geo+json": components["schemas"]["OgcFeatures"] | components["schemas"]["OgcLegend"];
          "application/json": components["schemas"]["OgcFeatures"] | components["schemas"]["OgcLegend"];
        };
      };
    };
  };
  getOgcFeatures: {
    parameters: {
      query?: {
        /** @description Format of the response; optional. */
        f?: "json";
      };
    };
    responses: {
      /** @description The response in the form of the protocol */
      200: {
        content: {
          "application/json": components["schemas"]["OgcLanding"];
        };
      };
    };
  };
  getOgcFeaturesConformance: {
    parameters: {
      query?: {
        /** @description Format of the response; optional. */
        f?: "json";
      };
    };
    responses: {
      /** @description The response in the form of the protocol */
      200: {
        content: {
          "application/json": components["schemas"]["OgcConformance"];
        };
      };
    };
  };
  listOgcCollections: {
    parameters: {
      query?: {
        /** @description Format of the response; optional. */
        f?: "json";
      };
    };
    responses: {
      /** @description The response in the form of the protocol */
      200: {
        content: {
          "application/json": components["schemas"]["OgcCollections"];
        };
      };
    };
  };
  getOgcCollection: {
    parameters: {
      query?: {
        /** @description Format of the response; optional. */
        f?: "json";
      };
      path: {
        /** @description Id of the collection: `workspace:layer` of a vector layer. */
        collection: string;
      };
    };
    responses: {
      /** @description The response in the form of the protocol */
      200: {
        content: {
          "application/json": components["schemas"]["OgcCollection"];
        };
      };
    };
  };
  getOgcCollectionSchema: {
    parameters: {
      query?: {
        /** @description Format of the response; optional. */
        f?: "json";
      };
      path: {
        /** @description Id of the collection: `workspace:layer` of a vector layer. */
        collection: string;
      };
    };
    responses: {
      /** @description The response in the form of the protocol */
      200: {
        content: {
          "application/schema+json": components["schemas"]["OgcSchema"];
        };
      };
    };
  };
  getOgcCollectionQueryables: {
    parameters: {
      query?: {
        /** @description Format of the response; optional. */
        f?: "json";
      };
      path: {
        /** @description Id of the collection: `workspace:layer` of a vector layer. */
        collection: string;
      };
    };
    responses: {
      /** @description The response in the form of the protocol */
      200: {
        content: {
          "application/schema+json": components["schemas"]["OgcSchema"];
        };
      };
    };
  };
  listOgcItems: {
    parameters: {
      query?: {
        /** @description Format of the response; optional. */
        f?: "json";
        /** @description Coordinate system of the response; default: longitude and latitude. */
        crs?: "http://www.opengis.net/def/crs/OGC/1.3/CRS84" | "http://www.opengis.net/def/crs/EPSG/0/3857";
        /** @description Names of the columns in the response, separated by commas; default: all. */
        properties?: string;
        /** @description Maximum number of features on a page, 1 to 10000; default: 10. */
        limit?: number;
        /** @description Number of features before the page; default: 0. */
        offset?: number;
        /** @description Selects the features that intersect this box: west,south,east,north. */
        bbox?: string;
        /** @description Coordinate system of `bbox`; default: longitude and latitude. */
        "bbox-crs"?: "http://www.opengis.net/def/crs/OGC/1.3/CRS84" | "http://www.opengis.net/def/crs/EPSG/0/3857";
        /** @description Selects by a time, a day or an interval such as `2021-07-01/..`; each feature has the interval of its layer. */
        datetime?: string;
        /** @description Filter in CQL2, such as `area_in_ha > 100`. */
        filter?: string;
        /** @description Language of `filter`; default: cql2-text. */
        "filter-lang"?: "cql2-text" | "cql2-json";
        /** @description Coordinate system of `filter`; optional. */
        "filter-crs"?: "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
      };
      path: {
        /** @description Id of the collection: `workspace:layer` of a vector layer. */
        collection: string;
      };
    };
    responses: {
      /** @description The response in the form of the protocol */
      200: {
        content: {
          "application/geo+json": components["schemas"]["OgcFeatures"];
        };
      };
    };
  };
  getOgcItem: {
    parameters: {
      query?: {
        /** @description Format of the response; optional. */
        f?: "json";
        /** @description Coordinate system of the response; default: longitude and latitude. */
        crs?: "http://www.opengis.net/def/crs/OGC/1.3/CRS84" | "http://www.opengis.net/def/crs/EPSG/0/3857";
        /** @description Names of the columns in the response, separated by commas; default: all. */
        properties?: string;
      };
      path: {
        /** @description Id of the collection: `workspace:layer` of a vector layer. */
        collection: string;
        /** @description Id of the feature, such as `layer.1`. */
        feature: string;
      };
    };
    responses: {
      /** @description The response in the form of the protocol */
      200: {
        content: {
          "application/geo+json": components["schemas"]["OgcFeature"];
        };
      };
    };
  };
  getTilesLandingPage: {
    responses: {
      /** @description The response in the form of the protocol */
      200: {
        content: {
          "application/json": components["schemas"]["OgcLanding"];
        };
      };
    };
  };
  getTilesConformance: {
    responses: {
      /** @description The response in the form of the protocol */
      200: {
        content: {
          "application/json": components["schemas"]["OgcConformance"];
        };
      };
    };
  };
  getTileMatrixSets: {
    responses: {
      /** @description The response in the form of the protocol */
      200: {
        content: {
          "application/json": components["schemas"]["TileMatrixSets"];
        };
      };
    };
  };
  getTileMatrixSet: {
    parameters: {
      path: {
        /** @description Tile matrix set: `WebMercatorQuad`. */
        set: string;
      };
    };
    responses: {
      /** @description The response in the form of the protocol */
      200: {
        content: {
          "application/json": components["schemas"]["TileMatrixSet"];
        };
      };
    };
  };
  getTilesCollections: {
    responses: {
      /** @description The response in the form of the protocol */
      200: {
        content: {
          "application/json": components["schemas"]["OgcCollections"];
        };
      };
    };
  };
  getTilesCollection: {
    parameters: {
      path: {
        /** @description Layer, `workspace:layer`. */
        collection: string;
      };
    };
    responses: {
      /** @description The response in the form of the protocol */
      200: {
        content: {
          "application/json": components["schemas"]["OgcCollection"];
        };
      };
    };
  };
  getMapTileSets: {
    parameters: {
      path: {
        /** @description Layer, `workspace:layer`. */
        collection: string;
      };
    };
    responses: {
      /** @description The response in the form of the protocol */
      200: {
        content: {
          "application/json": components["schemas"]["TileSets"];
        };
      };
    };
  };
  getMapTileSet: {
    parameters: {
      path: {
        /** @description Layer, `workspace:layer`. */
        collection: string;
        /** @description Tile matrix set: `WebMercatorQuad`. */
        set: string;
      };
    };
    responses: {
      /** @description The response in the form of the protocol */
      200: {
        content: {
          "application/json": components["schemas"]["TileSet"];
        };
      };
    };
  };
  getVectorTileSets: {
    parameters: {
      path: {
        /** @description Layer, `workspace:layer`. */
        collection: string;
      };
    };
    responses: {
      /** @description The response in the form of the protocol */
      200: {
        content: {
          "application/json": components["schemas"]["TileSets"];
        };
      };
    };
  };
  getVectorTileSet: {
    parameters: {
      path: {
        /** @description Layer, `workspace:layer`. */
        collection: string;
        /** @description Tile matrix set: `WebMercatorQuad`. */
        set: string;
      };
    };
    responses: {
      /** @description The response in the form of the protocol */
      200: {
        content: {
          "application/json": components["schemas"]["TileSet"];
        };
      };
    };
  };
  getTileJson: {
    parameters: {
      query?: {
        /** @description Version of the layer, as in the addresses of TileJSON. The response may then be cached for ever. */
        v?: string;
        /** @description Id of a run. The response is then the version that this run published, not the newest version. */
        run?: string;
      };
      path: {
        /** @description Workspace of the layer. */
        workspace: string;
        /** @description Name of the layer with the ending `.json`, or, for vector layers, `.pmtiles` or `.mbtiles`. */
        file: string;
      };
    };
    responses: {
      /** @description The response in the form of the protocol */
      200: {
        content: {
          "application/json": components["schemas"]["TileJson"];
        };
      };
    };
  };
  layerStatusDashboard: {
    requestBody: {
      content: {
        "application/json": {
          /** @description Name of the state, in any spelling with the same slug. */
          state: string;
          /** @description Name of a district of this state. */
          district: string;
          /** @description Name of a tehsil of this district; required unless `block` is sent. */
          tehsil?: string;
          /** @description The same as `tehsil`. */
          block?: string;
        };
        "application/x-www-form-urlencoded": {
          /** @description Name of the state, in any spelling with the same slug. */
          state: string;
          /** @description Name of a district of this state. */
          district: string;
          /** @description Name of a tehsil of this district; required unless `block` is sent. */
          tehsil?: string;
          /** @description The same as `tehsil`. */
          block?: string;
        };
        "multipart/form-data": {
          /** @description Name of the state, in any spelling with the same slug. */
          state: string;
          /** @description Name of a district of this state. */
          district: string;
          /** @description Name of a tehsil of this district; required unless `block` is sent. */
          tehsil?: string;
          /** @description The same as `tehsil`. */
          block?: string;
        };
      };
    };
    responses: {
      /** @description The layers by display name */
      200: {
        content: {
          "application/json": components["schemas"]["LayerStatuses"];
        };
      };
    };
  };
  getLayersInWorkspace: {
    parameters: {
      query: {
        /** @description Name of a workspace of the map server. */
        workspace: string;
      };
    };
    responses: {
      /** @description The layers */
      200: {
        content: {
          "application/json": components["schemas"]["WorkspaceLayers"];
        };
      };
    };
  };
  getMissingLayers: {
    parameters: {
      query: {
        /** @description Name of a workspace of the map server. */
        workspace: string;
      };
    };
    responses: {
      /** @description Missing layers, and all differences */
      200: {
        content: {
          "application/json": components["schemas"]["MissingLayers"];
        };
      };
    };
  };
  createWorkspace: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["WorkspaceRequest"];
        "application/x-www-form-urlencoded": components["schemas"]["WorkspaceRequest"];
        "multipart/form-data": components["schemas"]["WorkspaceRequest"];
      };
    };
    responses: {
      /** @description It exists already */
      200: {
        content: {
          "application/json": components["schemas"]["OperatorSuccess"];
        };
      };
      /** @description The workspace can be used */
      201: {
        content: {
          "application/json": components["schemas"]["OperatorSuccess"];
        };
      };
    };
  };
  deleteLayer: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["LayerRequest"];
        "application/x-www-form-urlencoded": components["schemas"]["LayerRequest"];
        "multipart/form-data": components["schemas"]["LayerRequest"];
      };
    };
    responses: {
      /** @description The layer is unpublished */
      200: {
        content: {
          "application/json": components["schemas"]["UnpublishedLayers"];
        };
      };
    };
  };
  listStates: {
    responses: {
      /** @description All states */
      200: {
        content: {
          "application/json": components["schemas"]["States"];
        };
      };
    };
  };
  listDistricts: {
    parameters: {
      path: {
        /** @description Id of a state, from the list of states. */
        state_id: number;
      };
    };
    responses: {
      /** @description Districts of the state */
      200: {
        content: {
          "application/json": components["schemas"]["Districts"];
        };
      };
    };
  };
  listBlocks: {
    parameters: {
      path: {
        /** @description Id of a district, from the list of districts. */
        district_id: number;
      };
    };
    responses: {
      /** @description Tehsils of the district */
      200: {
        content: {
          "application/json": components["schemas"]["Blocks"];
        };
      };
    };
  };
  activateLocation: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["ActivateLocationRequest"];
      };
    };
    responses: {
      /** @description The location and its new state */
      200: {
        content: {
          "application/json": components["schemas"]["ActivatedLocation"];
        };
      };
    };
  };
  getAdminDetailsByLatLon: {
    parameters: {
      query: {
        /** @description Degrees north (EPSG:4326), -90 to 90. */
        latitude: number;
        /** @description Degrees east (EPSG:4326), -180 to 180. */
        longitude: number;
      };
    };
    responses: {
      /** @description Names of the tehsil */
      200: {
        content: {
          "application/json": components["schemas"]["AdminDetails"];
        };
      };
    };
  };
  getMwsIdByLatLon: {
    parameters: {
      query: {
        /** @description Degrees north (EPSG:4326), -90 to 90. */
        latitude: number;
        /** @description Degrees east (EPSG:4326), -180 to 180. */
        longitude: number;
      };
    };
    responses: {
      /** @description Names of the tehsil and uid of the micro-watershed */
      200: {
        content: {
          "application/json": components["schemas"]["MwsAtPoint"];
        };
      };
    };
  };
  getActiveLocations: {
    responses: {
      /** @description Locations, ordered by name at each level */
      200: {
        content: {
          "application/json": components["schemas"]["ActiveLocations"];
        };
      };
    };
  };
  getProposedBlocks: {
    responses: {
      /** @description Locations, ordered by name at each level */
      200: {
        content: {
          "application/json": components["schemas"]["ActiveLocations"];
        };
      };
    };
  };
  getGeneratedLayerUrls: {
    parameters: {
      query: {
        /** @description Name of the state, in any spelling with the same slug. */
        state: string;
        /** @description Name of a district of this state. */
        district: string;
        /** @description Name of a tehsil of this district; required unless `block` is sent. */
        tehsil?: string;
        /** @description The same as `tehsil`. */
        block?: string;
      };
    };
    responses: {
      /** @description Layers, ordered by workspace and name */
      200: {
        content: {
          "application/json": components["schemas"]["LayerRecords"];
        };
      };
    };
  };
  getMwsGeometries: {
    parameters: {
      query: {
        /** @description Name of the state, in any spelling with the same slug. */
        state: string;
        /** @description Name of a district of this state. */
        district: string;
        /** @description Name of a tehsil of this district; required unless `block` is sent. */
        tehsil?: string;
        /** @description The same as `tehsil`. */
        block?: string;
      };
    };
    responses: {
      /** @description FeatureCollection, lon/lat */
      200: {
        content: {
          "application/json": components["schemas"]["Geometries"];
        };
      };
    };
  };
  getVillageGeometries: {
    parameters: {
      query: {
        /** @description Name of the state, in any spelling with the same slug. */
        state: string;
        /** @description Name of a district of this state. */
        district: string;
        /** @description Name of a tehsil of this district; required unless `block` is sent. */
        tehsil?: string;
        /** @description The same as `tehsil`. */
        block?: string;
      };
    };
    responses: {
      /** @description FeatureCollection, lon/lat */
      200: {
        content: {
          "application/json": components["schemas"]["Geometries"];
        };
      };
    };
  };
  getTehsilData: {
    parameters: {
      query: {
        /** @description Name of the state, in any spelling with the same slug. */
        state: string;
        /** @description Name of a district of this state. */
        district: string;
        /** @description Name of a tehsil of this district; required unless `block` is sent. */
        tehsil?: string;
        /** @description The same as `tehsil`. */
        block?: string;
      };
    };
    responses: {
      /** @description The published sheets */
      200: {
        content: {
          "application/json": components["schemas"]["TehsilSheets"];
        };
      };
    };
  };
  getMwsData: {
    parameters: {
      query: {
        /** @description Name of the state, in any spelling with the same slug. */
        state: string;
        /** @description Name of a district of this state. */
        district: string;
        /** @description Name of a tehsil of this district; required unless `block` is sent. */
        tehsil?: string;
        /** @description The same as `tehsil`. */
        block?: string;
        /** @description Id (`uid`) of the micro-watershed; required unless the parameter `uid` is sent. */
        mws_id?: string;
        /** @description The same as `mws_id`. */
        uid?: string;
      };
    };
    responses: {
      /** @description Values by date, ascending */
      200: {
        content: {
          "application/json": components["schemas"]["MwsTimeSeries"];
        };
      };
    };
  };
  getMwsKylIndicators: {
    parameters: {
      query: {
        /** @description Name of the state, in any spelling with the same slug. */
        state: string;
        /** @description Name of a district of this state. */
        district: string;
        /** @description Name of a tehsil of this district; required unless `block` is sent. */
        tehsil?: string;
        /** @description The same as `tehsil`. */
        block?: string;
        /** @description Id (`uid`) of the micro-watershed; required unless the parameter `uid` is sent. */
        mws_id?: string;
        /** @description The same as `mws_id`. */
        uid?: string;
      };
    };
    responses: {
      /** @description One record */
      200: {
        content: {
          "application/json": components["schemas"]["KylRecords"];
        };
      };
    };
  };
  getMwsReport: {
    parameters: {
      query: {
        /** @description Name of the state, in any spelling with the same slug. */
        state: string;
        /** @description Name of a district of this state. */
        district: string;
        /** @description Name of a tehsil of this district; required unless `block` is sent. */
        tehsil?: string;
        /** @description The same as `tehsil`. */
        block?: string;
        /** @description Id (`uid`) of the micro-watershed; required unless the parameter `uid` is sent. */
        mws_id?: string;
        /** @description The same as `mws_id`. */
        uid?: string;
      };
    };
    responses: {
      /** @description Address of the page */
      200: {
        content: {
          "application/json": components["schemas"]["MwsReportUrl"];
        };
      };
    };
  };
  addNewLayerDataToExcel: {
    parameters: {
      query: {
        /** @description Name of the state, in any spelling with the same slug. */
        state: string;
        /** @description Name of a district of this state. */
        district: string;
        /** @description Name of a tehsil of this district; required unless `block` is sent. */
        tehsil?: string;
        /** @description The same as `tehsil`. */
        block?: string;
      };
    };
    responses: {
      /** @description Sheets of the workbook */
      200: {
        content: {
          "application/json": components["schemas"]["WorkbookRefresh"];
        };
      };
    };
  };
  downloadKylData: {
    parameters: {
      query: {
        /** @description Name of the state, in any spelling with the same slug. */
        state: string;
        /** @description Name of a district of this state. */
        district: string;
        /** @description Name of a tehsil of this district; required unless `block` is sent. */
        tehsil?: string;
        /** @description The same as `tehsil`. */
        block?: string;
        /** @description json (default), xlsx or geojson. */
        file_type?: string;
      };
    };
    responses: {
      /** @description A record for each micro-watershed */
      200: {
        content: {
          "application/json": components["schemas"]["KylDownload"] | components["schemas"]["KylFeatures"];
          "application/geo+json": components["schemas"]["KylDownload"] | components["schemas"]["KylFeatures"];
        };
      };
    };
  };
  downloadKylVillageData: {
    parameters: {
      query: {
        /** @description Name of the state, in any spelling with the same slug. */
        state: string;
        /** @description Name of a district of this state. */
        district: string;
        /** @description Name of a tehsil of this district; required unless `block` is sent. */
        tehsil?: string;
        /** @description The same as `tehsil`. */
        block?: string;
      };
    };
    responses: {
      /** @description Villages, ordered by id */
      200: {
        content: {
          "application/json": components["schemas"]["KylVillages"];
        };
      };
    };
  };
  runWorkflow: {
    requestBody?: {
      content: {
        "application/json": {
          /** @description Parameters of the workflow; if absent, null or empty, the body itself has the parameters. Region, years and scheme are checked. */
          conf?: {
            [key: string]: unknown;
          } | null;
        } & {
          [key: string]: unknown;
        };
      };
    };
    responses: {
      /** @description The run that the orchestrator started */
      200: {
        content: {
          "application/json": components["schemas"]["WorkflowRunStarted"];
        };
      };
    };
  };
  workflowStatus: {
    parameters: {
      query: {
        /** @description Id of the run, from the response of `dag/run`. */
        run_id: string;
      };
    };
    responses: {
      /** @description The run */
      200: {
        content: {
          "application/json": components["schemas"]["WorkflowRunStatus"];
        };
      };
    };
  };
}
